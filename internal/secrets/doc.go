// Package secrets keeps credentials out of what brownout writes and prints: the
// values of ${env.NAME}, API keys, bearer tokens, logins in addresses, and the
// headers that carry them.
package secrets
