package faults

import (
	"fmt"
	"time"
)

// SlowTokens stretches the gaps between the chunks of a stream. An answer that
// is not streamed is late by the sum of the gaps. YAML: slow_tokens: {gap:
// 300ms}, or quantiles: slow_tokens: {p50: 100ms, p99: 2s}.
type SlowTokens struct {
	Gap       time.Duration `json:"gap,omitempty"` // 0 and no quantiles: 500ms
	Quantiles `json:",inline"`
}

// Kind is "slow_tokens".
func (SlowTokens) Kind() string { return "slow_tokens" }

// Check reports a negative gap or a gap beside quantiles.
func (f SlowTokens) Check() error {
	if f.Gap < 0 {
		return fmt.Errorf("gap is %v: a time above 0s is expected", f.Gap)
	}
	if f.Gap != 0 && !f.Quantiles.IsZero() {
		return fmt.Errorf("gap beside quantiles: want one of the two")
	}
	return f.Quantiles.Check()
}

// Script waits before each chunk of content but the first.
func (f SlowTokens) Script() Script {
	gap := Delay{Fixed: f.Gap, Quantiles: f.Quantiles}
	if gap.IsZero() {
		gap.Fixed = 500 * time.Millisecond
	}
	return Script{Gap: gap}
}
