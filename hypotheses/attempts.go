package hypotheses

import (
	"time"
)

// An AttemptsSpec is the claim of [Attempts] in files: how often one call is tried.
type AttemptsSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
}

// An AttemptsClaim is a hypothesis about how often one call is tried.
type AttemptsClaim struct {
	AttemptsSpec `json:",inline"`
}

// Attempts claims how often one call is tried: the leaf calls of a request to
// one provider with one body, the first try included. Of a request with
// several such groups the largest counts.
func Attempts(of string) AttemptsClaim { return AttemptsClaim{AttemptsSpec{Scope: Scope{Of: of}}} }

// AtMost is the largest number allowed.
func (c AttemptsClaim) AtMost(n int) AttemptsClaim {
	c.Bound.AtMost = numberLimit(float64(n))
	return c
}

// In looks at one phase.
func (c AttemptsClaim) In(phase string) AttemptsClaim { c.AttemptsSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [AttemptsClaim.In] names.
func (c AttemptsClaim) After(d time.Duration) AttemptsClaim { c.AttemptsSpec.In.After = d; return c }

// Outcome looks only at requests that ended so: any, ok, failed or degraded.
func (c AttemptsClaim) Outcome(outcome string) AttemptsClaim {
	c.AttemptsSpec.Outcome = outcome
	return c
}

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c AttemptsClaim) Confidence(p float64) AttemptsClaim { c.AttemptsSpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c AttemptsClaim) MinSamples(n int) AttemptsClaim { c.AttemptsSpec.MinSamples = &n; return c }

// Kind is "attempts".
func (AttemptsClaim) Kind() string { return "attempts" }

// Says is the claim in words.
func (c AttemptsClaim) Says() string {
	return "attempts" + c.Scope().words() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c AttemptsClaim) Scope() Scope { return c.AttemptsSpec.Scope }

// Check reports a claim that can never be judged.
func (c AttemptsClaim) Check() error {
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofCount, keys: []string{"below", "at_most"}})
}

func (c AttemptsClaim) need(s settings) need { return countNeed(s, c.Bound, callsPerRequest) }

func (c AttemptsClaim) judge(e *evidence) Finding {
	f := e.judgeCounts(c.Bound, counted(e.requests, e.attempts), "request", nil)
	switch {
	case f.Status == Refuted:
		f.Detail = e.attemptSplit(f.Evidence[0])
	case f.Value != nil && *f.Value == 0:
		f.Status, f.Reason, f.Detail = Inconclusive, NoLeafCalls, "no call of these requests reached a provider: nobody saw their attempts"
	}
	return f
}
