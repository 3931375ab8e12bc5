package hypotheses

import (
	"fmt"
	"time"

	"github.com/brownout-chaos/brownout/internal/expression"
)

// A LeafCallsSpec is the claim of [LeafCalls] in files: how many leaf calls one request causes.
type LeafCallsSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
	To    string `json:"to,omitempty"`    // only the calls to this provider
	API   string `json:"api,omitempty"`   // only the calls of this api: chat, models
	Where string `json:"where,omitempty"` // only the calls for which this is true; see [CallsClaim.Where]
}

// A LeafCallsClaim is a hypothesis about how many leaf calls one request causes.
type LeafCallsClaim struct {
	LeafCallsSpec `json:",inline"`
}

// LeafCalls claims how many leaf calls each request of an endpoint causes. A
// relative bound is a multiple of the mean of the baseline, rounded to a whole
// call.
func LeafCalls(of string) LeafCallsClaim { return LeafCallsClaim{LeafCallsSpec{Scope: Scope{Of: of}}} }

// To counts only the calls to this provider.
func (c LeafCallsClaim) To(provider string) LeafCallsClaim { c.LeafCallsSpec.To = provider; return c }

// API counts only the calls of this api, such as chat.
func (c LeafCallsClaim) API(api string) LeafCallsClaim { c.LeafCallsSpec.API = api; return c }

// Where counts only the calls for which the expression is true. It sees what
// [CallsClaim.Where] sees.
func (c LeafCallsClaim) Where(expression string) LeafCallsClaim {
	c.LeafCallsSpec.Where = expression
	return c
}

// AtMost is the largest number allowed.
func (c LeafCallsClaim) AtMost(n int) LeafCallsClaim {
	c.Bound.AtMost = numberLimit(float64(n))
	return c
}

// AtLeast is the smallest number allowed.
func (c LeafCallsClaim) AtLeast(n int) LeafCallsClaim {
	c.Bound.AtLeast = numberLimit(float64(n))
	return c
}

// Equals is the only number allowed.
func (c LeafCallsClaim) Equals(n int) LeafCallsClaim {
	c.Bound.Equals = numberLimit(float64(n))
	return c
}

// AtMostBaseline bounds from above by a multiple of the baseline's value.
func (c LeafCallsClaim) AtMostBaseline(factor float64) LeafCallsClaim {
	c.Bound.AtMost = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c LeafCallsClaim) In(phase string) LeafCallsClaim { c.LeafCallsSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [LeafCallsClaim.In] names.
func (c LeafCallsClaim) After(d time.Duration) LeafCallsClaim { c.LeafCallsSpec.In.After = d; return c }

// Outcome looks only at requests that ended so: any, ok, failed or degraded.
func (c LeafCallsClaim) Outcome(outcome string) LeafCallsClaim {
	c.LeafCallsSpec.Outcome = outcome
	return c
}

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c LeafCallsClaim) Confidence(p float64) LeafCallsClaim {
	c.LeafCallsSpec.Confidence = &p
	return c
}

// MinSamples is the number of samples without which the claim cannot hold.
func (c LeafCallsClaim) MinSamples(n int) LeafCallsClaim { c.LeafCallsSpec.MinSamples = &n; return c }

// Kind is "leaf_calls".
func (LeafCallsClaim) Kind() string { return "leaf_calls" }

// Says is the claim in words.
func (c LeafCallsClaim) Says() string {
	return "leaf calls" + c.Scope().words() + c.narrowed() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c LeafCallsClaim) Scope() Scope { return c.LeafCallsSpec.Scope }

// Check reports a claim that can never be judged.
func (c LeafCallsClaim) Check() error {
	if _, err := c.where(); err != nil {
		return fmt.Errorf("leaf_calls: %w", err)
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, callBounds())
}

// narrowed is which calls are counted, in words.
func (c LeafCallsClaim) narrowed() string {
	words := ""
	for _, part := range []struct{ before, value string }{
		{" to ", c.LeafCallsSpec.To}, {" of api ", c.LeafCallsSpec.API}, {" with ", c.LeafCallsSpec.Where},
	} {
		if part.value != "" {
			words += part.before + part.value
		}
	}
	return words
}

func (c LeafCallsClaim) where() (*expression.Program, error) {
	return compileCall(c.LeafCallsSpec.Where)
}

func (c LeafCallsClaim) need(s settings) need { return countNeed(s, c.Bound, callsPerRequest) }

func (c LeafCallsClaim) judge(e *evidence) Finding {
	spec, where := c.LeafCallsSpec, e.compiled(c.where())
	count := func(q *Request) float64 {
		return e.countCalls(q, func(q *Request, call *LeafCall) bool {
			narrow := (spec.To == "" || spec.To == call.Provider) && (spec.API == "" || spec.API == call.API)
			return narrow && (where == nil || e.holds(where, e.callEnv(q, call)))
		})
	}
	return e.judgeCounts(c.Bound, counted(e.requests, count), "request", e.meanPerRequest(count))
}
