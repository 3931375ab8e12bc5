package hypotheses

import (
	"fmt"
	"time"
)

// A LatencySpec is the claim of [Latency] in files: how long answers take.
type LatencySpec struct {
	Scope    `json:",inline"`
	Bound    `json:",inline"`
	Quantile float64 `json:"quantile,omitempty"` // above 0 and up to 1; 0: 0.99; 1: the largest, a hard bound
}

// A LatencyClaim is a hypothesis about how long answers take.
type LatencyClaim struct {
	LatencySpec `json:",inline"`
}

// Latency claims how long the answers of an endpoint take, from the planned
// start of the request to the end of its answer. A request that failed is
// infinite, unless the claim is about failed ones: then it is how long the
// user waited for the bad news.
func Latency(of string) LatencyClaim { return LatencyClaim{LatencySpec{Scope: Scope{Of: of}}} }

// Quantile sets the quantile, above 0 and up to 1.
func (c LatencyClaim) Quantile(q float64) LatencyClaim { c.LatencySpec.Quantile = q; return c }

// Below bounds the quantile from above.
func (c LatencyClaim) Below(d time.Duration) LatencyClaim { c.Bound.Below = timeLimit(d); return c }

// AtMost is [LatencyClaim.Below] with the bound itself still allowed.
func (c LatencyClaim) AtMost(d time.Duration) LatencyClaim { c.Bound.AtMost = timeLimit(d); return c }

// Above bounds the quantile from below: the fault was felt.
func (c LatencyClaim) Above(d time.Duration) LatencyClaim { c.Bound.Above = timeLimit(d); return c }

// BelowBaseline bounds from above by a multiple of the baseline's value.
func (c LatencyClaim) BelowBaseline(factor float64) LatencyClaim {
	c.Bound.Below = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c LatencyClaim) In(phase string) LatencyClaim { c.LatencySpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [LatencyClaim.In] names.
func (c LatencyClaim) After(d time.Duration) LatencyClaim { c.LatencySpec.In.After = d; return c }

// Outcome looks only at requests that ended so: any, ok, failed or degraded.
func (c LatencyClaim) Outcome(outcome string) LatencyClaim { c.LatencySpec.Outcome = outcome; return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c LatencyClaim) Confidence(p float64) LatencyClaim { c.LatencySpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c LatencyClaim) MinSamples(n int) LatencyClaim { c.LatencySpec.MinSamples = &n; return c }

// Kind is "latency".
func (LatencyClaim) Kind() string { return "latency" }

// Says is the claim in words.
func (c LatencyClaim) Says() string {
	return quantileWords(c.LatencySpec.Quantile) + " latency" + c.Scope().words() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c LatencyClaim) Scope() Scope { return c.LatencySpec.Scope }

// Check reports a claim that can never be judged.
func (c LatencyClaim) Check() error {
	if q := c.LatencySpec.Quantile; !(q >= 0 && q <= 1) {
		return fmt.Errorf("latency: quantile is %g: want a number above 0 and up to 1, such as 0.99", q)
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofTime, keys: twoSided(), relative: true})
}

func (c LatencyClaim) need(s settings) need { return quantileNeed(s, c.LatencySpec.Quantile, c.Bound) }

func (c LatencyClaim) judge(e *evidence) Finding {
	return e.judgeQuantile(c.LatencySpec.Quantile, c.Bound, func(q *Request) (float64, bool) {
		return e.orInfinite(q, q.latency()), true
	})
}
