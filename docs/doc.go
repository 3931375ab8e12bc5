// Package docs holds the manual of brownout. The pages on faults, toxics and
// hypotheses, one file each, are part of the binary: `brownout explain NAME`
// prints them, `brownout list` shows their first sentences.
//
// Start reading at README.md in this folder.
package docs
