package hypotheses

import (
	"time"
)

// An ErrorsSpec is the claim of [Errors] in files: the share of requests that fail.
type ErrorsSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
}

// An ErrorsClaim is a hypothesis about the share of requests that fail.
type ErrorsClaim struct {
	ErrorsSpec `json:",inline"`
}

// Errors claims the share of an endpoint's requests that fail: by their status
// or failed_when, without an answer, or with one that broke off.
func Errors(of string) ErrorsClaim { return ErrorsClaim{ErrorsSpec{Scope: Scope{Of: of}}} }

// Below bounds the share, 0 to 1, from above.
func (c ErrorsClaim) Below(share float64) ErrorsClaim { c.Bound.Below = numberLimit(share); return c }

// AtMost bounds the share, 0 to 1, from above; 0 is a hard bound.
func (c ErrorsClaim) AtMost(share float64) ErrorsClaim { c.Bound.AtMost = numberLimit(share); return c }

// Above bounds the share, 0 to 1, from below.
func (c ErrorsClaim) Above(share float64) ErrorsClaim { c.Bound.Above = numberLimit(share); return c }

// BelowBaseline bounds from above by a multiple of the baseline's value.
func (c ErrorsClaim) BelowBaseline(factor float64) ErrorsClaim {
	c.Bound.Below = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c ErrorsClaim) In(phase string) ErrorsClaim { c.ErrorsSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [ErrorsClaim.In] names.
func (c ErrorsClaim) After(d time.Duration) ErrorsClaim { c.ErrorsSpec.In.After = d; return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c ErrorsClaim) Confidence(p float64) ErrorsClaim { c.ErrorsSpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c ErrorsClaim) MinSamples(n int) ErrorsClaim { c.ErrorsSpec.MinSamples = &n; return c }

// Kind is "errors".
func (ErrorsClaim) Kind() string { return "errors" }

// Says is the claim in words.
func (c ErrorsClaim) Says() string {
	return "errors" + c.Scope().words() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c ErrorsClaim) Scope() Scope { return c.ErrorsSpec.Scope }

// Check reports a claim that can never be judged.
func (c ErrorsClaim) Check() error {
	if err := withoutOutcome(c.Kind(), c.Scope()); err != nil {
		return err
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofShare, keys: twoSided(), relative: true})
}

func (c ErrorsClaim) need(s settings) need {
	n := shareNeed(s, c.Bound)
	n.outcomes = true
	return n
}

func (c ErrorsClaim) judge(e *evidence) Finding {
	return e.judgeShare(c.Bound, func(q *Request) bool { return q.Outcome == Failed }, "failed", "did not fail")
}
