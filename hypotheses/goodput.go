package hypotheses

import (
	"fmt"
	"time"
)

// A GoodputSpec is the claim of [Goodput] in files: the share of requests that are answered well and in time.
type GoodputSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
}

// A GoodputClaim is a hypothesis about the share of requests that are answered well and in time.
type GoodputClaim struct {
	GoodputSpec `json:",inline"`
}

// Goodput claims the share of an endpoint's requests that are answered well:
// not failed, not degraded, and in time where [GoodputClaim.Within] says what
// that is.
func Goodput(of string) GoodputClaim { return GoodputClaim{GoodputSpec{Scope: Scope{Of: of}}} }

// Within is what in time means, from the planned start; without it every
// answer is in time.
func (c GoodputClaim) Within(d time.Duration) GoodputClaim { c.Bound.Within = timeLimit(d); return c }

// AtLeast bounds the share, 0 to 1, from below; 1 is a hard bound.
func (c GoodputClaim) AtLeast(share float64) GoodputClaim {
	c.Bound.AtLeast = numberLimit(share)
	return c
}

// Above bounds the share, 0 to 1, from below.
func (c GoodputClaim) Above(share float64) GoodputClaim { c.Bound.Above = numberLimit(share); return c }

// AboveBaseline bounds from below by a multiple of the baseline's value.
func (c GoodputClaim) AboveBaseline(factor float64) GoodputClaim {
	c.Bound.Above = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c GoodputClaim) In(phase string) GoodputClaim { c.GoodputSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [GoodputClaim.In] names.
func (c GoodputClaim) After(d time.Duration) GoodputClaim { c.GoodputSpec.In.After = d; return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c GoodputClaim) Confidence(p float64) GoodputClaim { c.GoodputSpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c GoodputClaim) MinSamples(n int) GoodputClaim { c.GoodputSpec.MinSamples = &n; return c }

// Kind is "goodput".
func (GoodputClaim) Kind() string { return "goodput" }

// Says is the claim in words.
func (c GoodputClaim) Says() string {
	return "goodput" + c.Scope().words() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c GoodputClaim) Scope() Scope { return c.GoodputSpec.Scope }

// Check reports a claim that can never be judged.
func (c GoodputClaim) Check() error {
	if err := withoutOutcome(c.Kind(), c.Scope()); err != nil {
		return err
	}
	bound := c.Bound
	if bound.Within != nil {
		if err := bound.Within.check("within", boundRule{unit: ofTime}); err != nil {
			return fmt.Errorf("goodput: %w", err)
		}
		bound.Within = nil
	}
	if low := firstOf(bound.Above, bound.AtLeast); low != nil && low.Factor > 1 {
		return fmt.Errorf("goodput: %v can be above 1, which no share is: want at most 1x baseline", low)
	}
	return checkClaim(c.Kind(), c.Scope(), bound, boundRule{unit: ofShare, keys: []string{"above", "at_least"}, relative: true})
}

func (c GoodputClaim) need(s settings) need {
	n := shareNeed(s, c.Bound)
	n.outcomes, n.good = true, true
	if c.Bound.Within != nil {
		n.timed, n.bound = true, c.Bound.Within.Value
	}
	return n
}

func (c GoodputClaim) judge(e *evidence) Finding {
	good := func(q *Request) bool {
		return q.Outcome == OK && (c.Bound.Within == nil || q.latency() <= c.Bound.Within.Value)
	}
	return e.judgeShare(c.Bound, good, "good", "not good")
}
