package hypotheses

import (
	"fmt"
	"math"
	"time"
)

// A ChunkGapSpec is the claim of [ChunkGap] in files: how long a stream falls silent.
type ChunkGapSpec struct {
	Scope    `json:",inline"`
	Bound    `json:",inline"`
	Quantile float64 `json:"quantile,omitempty"` // above 0 and up to 1; 0: 0.99; 1: the largest, a hard bound
}

// A ChunkGapClaim is a hypothesis about how long a stream falls silent.
type ChunkGapClaim struct {
	ChunkGapSpec `json:",inline"`
}

// ChunkGap claims the longest silence of a stream between two of its events,
// up to its end or to the error it reports. It is infinite for a stream that
// was still silent when the user gave up, and for a request that got none.
// Endpoints that are not streamed are no samples.
func ChunkGap(of string) ChunkGapClaim { return ChunkGapClaim{ChunkGapSpec{Scope: Scope{Of: of}}} }

// Quantile sets the quantile, above 0 and up to 1.
func (c ChunkGapClaim) Quantile(q float64) ChunkGapClaim { c.ChunkGapSpec.Quantile = q; return c }

// Below bounds the quantile from above.
func (c ChunkGapClaim) Below(d time.Duration) ChunkGapClaim { c.Bound.Below = timeLimit(d); return c }

// AtMost is [ChunkGapClaim.Below] with the bound itself still allowed.
func (c ChunkGapClaim) AtMost(d time.Duration) ChunkGapClaim { c.Bound.AtMost = timeLimit(d); return c }

// Above bounds the quantile from below: the fault was felt.
func (c ChunkGapClaim) Above(d time.Duration) ChunkGapClaim { c.Bound.Above = timeLimit(d); return c }

// BelowBaseline bounds from above by a multiple of the baseline's value.
func (c ChunkGapClaim) BelowBaseline(factor float64) ChunkGapClaim {
	c.Bound.Below = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c ChunkGapClaim) In(phase string) ChunkGapClaim { c.ChunkGapSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [ChunkGapClaim.In] names.
func (c ChunkGapClaim) After(d time.Duration) ChunkGapClaim { c.ChunkGapSpec.In.After = d; return c }

// Outcome looks only at requests that ended so: any, ok, failed or degraded.
func (c ChunkGapClaim) Outcome(outcome string) ChunkGapClaim {
	c.ChunkGapSpec.Outcome = outcome
	return c
}

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c ChunkGapClaim) Confidence(p float64) ChunkGapClaim { c.ChunkGapSpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c ChunkGapClaim) MinSamples(n int) ChunkGapClaim { c.ChunkGapSpec.MinSamples = &n; return c }

// Kind is "chunk_gap".
func (ChunkGapClaim) Kind() string { return "chunk_gap" }

// Says is the claim in words.
func (c ChunkGapClaim) Says() string {
	return quantileWords(c.ChunkGapSpec.Quantile) + " chunk gap" + c.Scope().words() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c ChunkGapClaim) Scope() Scope { return c.ChunkGapSpec.Scope }

// Check reports a claim that can never be judged.
func (c ChunkGapClaim) Check() error {
	if q := c.ChunkGapSpec.Quantile; q < 0 || q > 1 {
		return fmt.Errorf("chunk_gap: quantile is %g: want a number above 0 and up to 1, such as 0.99", q)
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofTime, keys: twoSided(), relative: true})
}

func (c ChunkGapClaim) need(s settings) need {
	return quantileNeed(s, c.ChunkGapSpec.Quantile, c.Bound)
}

func (c ChunkGapClaim) judge(e *evidence) Finding {
	return e.judgeQuantile(c.ChunkGapSpec.Quantile, c.Bound, func(q *Request) (float64, bool) {
		if e.experiment.Service.Endpoints[q.Endpoint].Stream.IsZero() {
			return 0, false
		}
		if q.Silent || q.Events == 0 {
			return math.Inf(1), true
		}
		return q.MaxGap.Float(), true
	})
}
