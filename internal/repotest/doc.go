// Package repotest holds the laws of this repository as tests: which package
// may import which, what is documented, which pages exist, what a file may
// not contain. It has no code of its own.
//
// Each law reads the files it is about and runs no `go list`: so the test
// cache notices when a law is broken in another package.
package repotest
