package hypotheses

import (
	"time"
)

// A FallbacksSpec is the claim of [Fallbacks] in files: the share of requests that are not answered by the first choice.
type FallbacksSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
}

// A FallbacksClaim is a hypothesis about the share of requests that are not answered by the first choice.
type FallbacksClaim struct {
	FallbacksSpec `json:",inline"`
}

// Fallbacks claims the share of an endpoint's requests that are not answered
// by the first choice: degraded_when says so, or the last leaf call that was
// answered well went to another provider than [Service.PrimaryProvider].
// A request that failed is no fallback.
func Fallbacks(of string) FallbacksClaim { return FallbacksClaim{FallbacksSpec{Scope: Scope{Of: of}}} }

// Below bounds the share, 0 to 1, from above.
func (c FallbacksClaim) Below(share float64) FallbacksClaim {
	c.Bound.Below = numberLimit(share)
	return c
}

// AtMost bounds the share, 0 to 1, from above; 0 is a hard bound.
func (c FallbacksClaim) AtMost(share float64) FallbacksClaim {
	c.Bound.AtMost = numberLimit(share)
	return c
}

// Above bounds the share, 0 to 1, from below.
func (c FallbacksClaim) Above(share float64) FallbacksClaim {
	c.Bound.Above = numberLimit(share)
	return c
}

// BelowBaseline bounds from above by a multiple of the baseline's value.
func (c FallbacksClaim) BelowBaseline(factor float64) FallbacksClaim {
	c.Bound.Below = baselineLimit(factor)
	return c
}

// AboveBaseline bounds from below by a multiple of the baseline's value.
func (c FallbacksClaim) AboveBaseline(factor float64) FallbacksClaim {
	c.Bound.Above = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c FallbacksClaim) In(phase string) FallbacksClaim { c.FallbacksSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [FallbacksClaim.In] names.
func (c FallbacksClaim) After(d time.Duration) FallbacksClaim { c.FallbacksSpec.In.After = d; return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c FallbacksClaim) Confidence(p float64) FallbacksClaim {
	c.FallbacksSpec.Confidence = &p
	return c
}

// MinSamples is the number of samples without which the claim cannot hold.
func (c FallbacksClaim) MinSamples(n int) FallbacksClaim { c.FallbacksSpec.MinSamples = &n; return c }

// Kind is "fallbacks".
func (FallbacksClaim) Kind() string { return "fallbacks" }

// Says is the claim in words.
func (c FallbacksClaim) Says() string {
	return "fallbacks" + c.Scope().words() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c FallbacksClaim) Scope() Scope { return c.FallbacksSpec.Scope }

// Check reports a claim that can never be judged.
func (c FallbacksClaim) Check() error {
	if err := withoutOutcome(c.Kind(), c.Scope()); err != nil {
		return err
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofShare, keys: twoSided(), relative: true})
}

func (c FallbacksClaim) need(s settings) need {
	n := shareNeed(s, c.Bound)
	n.outcomes = true
	if s.providers > 1 {
		n.calls = callsPerRequest
	}
	return n
}

func (c FallbacksClaim) judge(e *evidence) Finding {
	return e.judgeShare(c.Bound, e.fellBack, "fell back", "did not fall back")
}
