package hypotheses

import (
	"slices"
	"time"
)

// An InFlightSpec is the claim of [InFlight] in files: how many leaf calls are open at once.
type InFlightSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
	To    string `json:"to,omitempty"` // only the calls to this provider
}

// An InFlightClaim is a hypothesis about how many leaf calls are open at once.
type InFlightClaim struct {
	InFlightSpec `json:",inline"`
}

// InFlight claims how many leaf calls are open at once, such as a bulkhead
// promises. A relative bound is a multiple of the baseline's largest number.
func InFlight(of string) InFlightClaim { return InFlightClaim{InFlightSpec{Scope: Scope{Of: of}}} }

// To counts only the calls to this provider.
func (c InFlightClaim) To(provider string) InFlightClaim { c.InFlightSpec.To = provider; return c }

// AtMost is the largest number allowed.
func (c InFlightClaim) AtMost(n int) InFlightClaim {
	c.Bound.AtMost = numberLimit(float64(n))
	return c
}

// AtMostBaseline bounds from above by a multiple of the baseline's value.
func (c InFlightClaim) AtMostBaseline(factor float64) InFlightClaim {
	c.Bound.AtMost = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c InFlightClaim) In(phase string) InFlightClaim { c.InFlightSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [InFlightClaim.In] names.
func (c InFlightClaim) After(d time.Duration) InFlightClaim { c.InFlightSpec.In.After = d; return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c InFlightClaim) Confidence(p float64) InFlightClaim { c.InFlightSpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c InFlightClaim) MinSamples(n int) InFlightClaim { c.InFlightSpec.MinSamples = &n; return c }

// Kind is "in_flight".
func (InFlightClaim) Kind() string { return "in_flight" }

// Says is the claim in words.
func (c InFlightClaim) Says() string {
	return "calls in flight" + c.Scope().words() + c.toward() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c InFlightClaim) Scope() Scope { return c.InFlightSpec.Scope }

// Check reports a claim that can never be judged.
func (c InFlightClaim) Check() error {
	if err := withoutOutcome(c.Kind(), c.Scope()); err != nil {
		return err
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofCount, keys: []string{"below", "at_most"}, relative: true})
}

func (c InFlightClaim) toward() string {
	if c.InFlightSpec.To == "" {
		return ""
	}
	return " to " + c.InFlightSpec.To
}

func (c InFlightClaim) need(s settings) need {
	use := callsPerRequest
	if c.Of == "" {
		use = allCalls
	}
	return countNeed(s, c.Bound, use)
}

func (c InFlightClaim) judge(e *evidence) Finding {
	return e.judgeCounts(c.Bound, c.concurrent(e, e.spans), "call", func() (float64, float64, float64, bool) {
		most, base := 0.0, c.concurrent(e, e.phaseSpans(PhaseBaseline))
		for _, s := range base {
			most = max(most, s.value)
		}
		return most, most, most, len(base) > 0
	})
}

// concurrent is, for each call that arrived in the spans, how many were open
// then, itself included. The most there ever were are there when one arrives.
func (c InFlightClaim) concurrent(e *evidence, spans []span) []sample {
	open, list := []*LeafCall{}, []sample{}
	for _, call := range e.calls {
		if c.InFlightSpec.To != "" && call.Provider != c.InFlightSpec.To || !e.concerns(call) {
			continue
		}
		open = slices.DeleteFunc(open, func(o *LeafCall) bool { return o.End <= call.Arrived })
		open = append(open, call)
		if during(spans, call.Arrived) {
			list = append(list, sample{e.ownerID(call), float64(len(open))})
		}
	}
	return list
}
