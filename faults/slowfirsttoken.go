package faults

import (
	"fmt"
	"time"
)

// SlowFirstToken delays the first content. With early headers the client sees
// a 200 at once and then waits, which defeats timeouts that end with the
// headers. YAML: slow_first_token: {delay: 5s, headers: early}, or quantiles:
// slow_first_token: {p50: 400ms, p99: 4s}.
type SlowFirstToken struct {
	Delay     time.Duration `json:"delay,omitempty"` // 0 and no quantiles: 5s
	Quantiles `json:",inline"`
	Headers   HeaderTime `json:"headers,omitempty"` // "": late
}

// A HeaderTime says on which side of a wait the headers are sent.
type HeaderTime string

// The header times.
const (
	HeadersLate  HeaderTime = "late"  // headers come with the first content
	HeadersEarly HeaderTime = "early" // headers come at once
)

// Kind is "slow_first_token".
func (SlowFirstToken) Kind() string { return "slow_first_token" }

// Check reports a negative delay, a delay beside quantiles, or an unknown
// header time.
func (f SlowFirstToken) Check() error {
	switch {
	case f.Delay < 0:
		return fmt.Errorf("delay is %v: a time above 0s is expected", f.Delay)
	case f.Delay != 0 && !f.Quantiles.IsZero():
		return fmt.Errorf("delay beside quantiles: want one of the two")
	case f.Headers != "" && f.Headers != HeadersEarly && f.Headers != HeadersLate:
		return fmt.Errorf("headers is %q: want early or late", f.Headers)
	}
	return f.Quantiles.Check()
}

// Script waits before or after the headers.
func (f SlowFirstToken) Script() Script {
	wait := Delay{Fixed: f.Delay, Quantiles: f.Quantiles}
	if wait.IsZero() {
		wait.Fixed = 5 * time.Second
	}
	if f.Headers == HeadersEarly {
		return Script{First: wait}
	}
	return Script{Headers: wait}
}
