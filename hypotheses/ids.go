package hypotheses

import "fmt"

// RequestID is the id of the request with the sequence number seq, from 1:
// r-000123.
func RequestID(seq int) string { return fmt.Sprintf("r-%06d", seq) }

// TraceID is the W3C trace id of that request: 16 hex digits that stand for
// the seed of the run, then 16 of the sequence number.
func TraceID(seed uint64, seq int) string { return fmt.Sprintf("%016x%016x", scatter(seed), seq) }

// Marker is what ${marker} in a request becomes:
// brownout-<first 8 digits of the trace id>-<request id>, plain ASCII.
func Marker(seed uint64, seq int) string {
	return "brownout-" + TraceID(seed, seq)[:8] + "-" + RequestID(seq)
}

// scatter is the finaliser of SplitMix64: seeds that differ in one bit share
// no digits.
func scatter(seed uint64) uint64 {
	z := seed + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
