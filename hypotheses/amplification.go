package hypotheses

import (
	"fmt"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses/stats"
)

// An AmplificationSpec is the claim of [Amplification] in files: how many times more leaf calls there are than in the baseline.
type AmplificationSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
}

// An AmplificationClaim is a hypothesis about how many times more leaf calls there are than in the baseline.
type AmplificationClaim struct {
	AmplificationSpec `json:",inline"`
}

// Amplification claims how many leaf calls there are per request, as a multiple
// of the baseline phase. Its interval is a bootstrap over requests; where calls
// cannot be given to requests it is one over seconds of the run, and the claim
// must be about all endpoints that are no bystanders.
func Amplification(of string) AmplificationClaim {
	return AmplificationClaim{AmplificationSpec{Scope: Scope{Of: of}}}
}

// Below bounds the ratio from above.
func (c AmplificationClaim) Below(ratio float64) AmplificationClaim {
	c.Bound.Below = numberLimit(ratio)
	return c
}

// AtMost is [AmplificationClaim.Below] with the bound itself still allowed.
func (c AmplificationClaim) AtMost(ratio float64) AmplificationClaim {
	c.Bound.AtMost = numberLimit(ratio)
	return c
}

// Above bounds the ratio from below.
func (c AmplificationClaim) Above(ratio float64) AmplificationClaim {
	c.Bound.Above = numberLimit(ratio)
	return c
}

// In looks at one phase.
func (c AmplificationClaim) In(phase string) AmplificationClaim {
	c.AmplificationSpec.In.Phase = phase
	return c
}

// After leaves out the start of the phase that [AmplificationClaim.In] names.
func (c AmplificationClaim) After(d time.Duration) AmplificationClaim {
	c.AmplificationSpec.In.After = d
	return c
}

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c AmplificationClaim) Confidence(p float64) AmplificationClaim {
	c.AmplificationSpec.Confidence = &p
	return c
}

// MinSamples is the number of samples without which the claim cannot hold.
func (c AmplificationClaim) MinSamples(n int) AmplificationClaim {
	c.AmplificationSpec.MinSamples = &n
	return c
}

// Kind is "amplification".
func (AmplificationClaim) Kind() string { return "amplification" }

// Says is the claim in words.
func (c AmplificationClaim) Says() string {
	return "amplification" + c.Scope().words() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c AmplificationClaim) Scope() Scope { return c.AmplificationSpec.Scope }

// Check reports a claim that can never be judged.
func (c AmplificationClaim) Check() error {
	if err := withoutOutcome(c.Kind(), c.Scope()); err != nil {
		return err
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofRatio, keys: twoSided()})
}

func (c AmplificationClaim) need(s settings) need {
	return need{samples: s.atLeast(leastShares), calls: allCalls, baseline: true}
}

func (c AmplificationClaim) judge(e *evidence) Finding {
	upper, lower := e.sides(c.Bound, nil)
	f := e.finding("", len(e.requests), upper, lower)
	now, base, err := e.callTotals()
	switch {
	case err != nil:
		f.Reason, f.Detail = AttributionTooLow, err.Error()
		return f
	case base.Ratio() == 0:
		f.Reason, f.Detail = NoLeafCalls, "no leaf call in the baseline to compare with"
		return f
	}
	value, low, high := stats.RatioInterval(now, base, e.confidence, e.journal.Run.Seed)
	f.Value, f.Interval = finite(value), []*float64{finite(low), finite(high)}
	f.Evidence = worstIDs(counted(e.requests, func(q *Request) float64 { return float64(len(e.callsOf[q])) }), true)
	f.Status = worst(sideState(low, high, upper, true), sideState(low, high, lower, false))
	f.Detail = fmt.Sprintf("%.3g calls per request, %.3g in the baseline", now.Ratio(), base.Ratio())
	switch {
	case f.Status == Held && f.Samples < e.need.samples:
		f.Status, f.Reason = Inconclusive, TooFewSamples
		f.Detail = fmt.Sprintf("%s, %d needed: %s", plural(f.Samples, "request"), e.need.samples, e.advice(f.Samples, e.need.samples))
	case f.Status == Inconclusive:
		f.Reason = IntervalStraddles
	}
	return f
}

// sideState compares an interval with a limit; one that is not set is held.
func sideState(low, high float64, s side, upper bool) State {
	right, wrong := high < s.value || high == s.value && !s.strict, low > s.value
	if !upper {
		right, wrong = low > s.value || low == s.value && !s.strict, high < s.value
	}
	switch {
	case !s.set || right:
		return Held
	case wrong:
		return Refuted
	}
	return Inconclusive
}
