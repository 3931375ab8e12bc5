package fakes

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// secretHeaders is the one list of headers that carry credentials.
func secretHeaders() []string {
	return []string{
		"Authorization", "Proxy-Authorization", "Api-Key", "X-Api-Key", "X-Goog-Api-Key",
		"Ocp-Apim-Subscription-Key", "X-Amz-Security-Token", "X-Auth-Token", "Cookie", "Set-Cookie",
	}
}

// Redact is a copy of the headers in which each credential is reduced to its
// first three characters and a short hash: enough to tell keys apart.
func Redact(h http.Header) http.Header {
	out := h.Clone()
	for _, name := range secretHeaders() {
		for i, value := range out[name] {
			out[name][i] = redact(value)
		}
	}
	return out
}

// redactValue redacts the value of a header that carries a credential, and
// leaves others.
func redactValue(name, value string) string {
	for _, secret := range secretHeaders() {
		if strings.EqualFold(name, secret) {
			return redact(value)
		}
	}
	return value
}

func redact(secret string) string {
	if secret == "" {
		return ""
	}
	secret = strings.TrimPrefix(secret, "Bearer ")
	start := ""
	if len(secret) > 12 { // three characters of a long secret give nothing away
		start = secret[:3]
	}
	return start + "…" + hash(secret, 6)
}

// hash is the first n bytes of the SHA-256 of s, in hex.
func hash(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:n])
}

// apiKey is the credential of a call: the bearer token, or the first of the
// headers in which providers take keys.
func apiKey(h http.Header) string {
	if token, ok := strings.CutPrefix(h.Get("Authorization"), "Bearer "); ok {
		return token
	}
	for _, name := range []string{"Api-Key", "X-Api-Key", "X-Goog-Api-Key"} {
		if key := h.Get(name); key != "" {
			return key
		}
	}
	return h.Get("Authorization")
}
