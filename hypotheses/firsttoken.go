package hypotheses

import (
	"fmt"
	"math"
	"time"
)

// A FirstTokenSpec is the claim of [FirstToken] in files: how long the first token takes.
type FirstTokenSpec struct {
	Scope    `json:",inline"`
	Bound    `json:",inline"`
	Quantile float64 `json:"quantile,omitempty"` // above 0 and up to 1; 0: 0.99; 1: the largest, a hard bound
}

// A FirstTokenClaim is a hypothesis about how long the first token takes.
type FirstTokenClaim struct {
	FirstTokenSpec `json:",inline"`
}

// FirstToken claims how long the first token of a stream takes, from the
// planned start of the request; of an answer that is not streamed it is the
// first byte. It is infinite for a request that failed, unless the claim is
// about failed ones, and for one without a token.
func FirstToken(of string) FirstTokenClaim {
	return FirstTokenClaim{FirstTokenSpec{Scope: Scope{Of: of}}}
}

// Quantile sets the quantile, above 0 and up to 1.
func (c FirstTokenClaim) Quantile(q float64) FirstTokenClaim { c.FirstTokenSpec.Quantile = q; return c }

// Below bounds the quantile from above.
func (c FirstTokenClaim) Below(d time.Duration) FirstTokenClaim {
	c.Bound.Below = timeLimit(d)
	return c
}

// AtMost is [FirstTokenClaim.Below] with the bound itself still allowed.
func (c FirstTokenClaim) AtMost(d time.Duration) FirstTokenClaim {
	c.Bound.AtMost = timeLimit(d)
	return c
}

// Above bounds the quantile from below: the fault was felt.
func (c FirstTokenClaim) Above(d time.Duration) FirstTokenClaim {
	c.Bound.Above = timeLimit(d)
	return c
}

// BelowBaseline bounds from above by a multiple of the baseline's value.
func (c FirstTokenClaim) BelowBaseline(factor float64) FirstTokenClaim {
	c.Bound.Below = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c FirstTokenClaim) In(phase string) FirstTokenClaim {
	c.FirstTokenSpec.In.Phase = phase
	return c
}

// After leaves out the start of the phase that [FirstTokenClaim.In] names.
func (c FirstTokenClaim) After(d time.Duration) FirstTokenClaim {
	c.FirstTokenSpec.In.After = d
	return c
}

// Outcome looks only at requests that ended so: any, ok, failed or degraded.
func (c FirstTokenClaim) Outcome(outcome string) FirstTokenClaim {
	c.FirstTokenSpec.Outcome = outcome
	return c
}

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c FirstTokenClaim) Confidence(p float64) FirstTokenClaim {
	c.FirstTokenSpec.Confidence = &p
	return c
}

// MinSamples is the number of samples without which the claim cannot hold.
func (c FirstTokenClaim) MinSamples(n int) FirstTokenClaim {
	c.FirstTokenSpec.MinSamples = &n
	return c
}

// Kind is "first_token".
func (FirstTokenClaim) Kind() string { return "first_token" }

// Says is the claim in words.
func (c FirstTokenClaim) Says() string {
	return quantileWords(c.FirstTokenSpec.Quantile) + " first token" + c.Scope().words() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c FirstTokenClaim) Scope() Scope { return c.FirstTokenSpec.Scope }

// Check reports a claim that can never be judged.
func (c FirstTokenClaim) Check() error {
	if q := c.FirstTokenSpec.Quantile; q < 0 || q > 1 {
		return fmt.Errorf("first_token: quantile is %g: want a number above 0 and up to 1, such as 0.99", q)
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofTime, keys: twoSided(), relative: true})
}

func (c FirstTokenClaim) need(s settings) need {
	return quantileNeed(s, c.FirstTokenSpec.Quantile, c.Bound)
}

func (c FirstTokenClaim) judge(e *evidence) Finding {
	return e.judgeQuantile(c.FirstTokenSpec.Quantile, c.Bound, func(q *Request) (float64, bool) {
		if q.FirstContent == 0 {
			return math.Inf(1), true
		}
		return e.orInfinite(q, (q.FirstContent - q.Planned).Float()), true
	})
}
