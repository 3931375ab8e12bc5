package hypotheses

import (
	"fmt"
	"time"

	"github.com/brownout-chaos/brownout/internal/expression"
)

// A CallsSpec is the claim of [Calls] in files: how many leaf calls match an expression.
type CallsSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
	Where string        `json:"where"`         // expression over a leaf call: call.status == 429, call.provider == "fallback"
	Per   time.Duration `json:"per,omitempty"` // 0: per request
}

// A CallsClaim is a hypothesis about how many leaf calls match an expression.
type CallsClaim struct {
	CallsSpec `json:",inline"`
}

// Calls claims how many leaf calls the expression of [CallsClaim.Where] is true
// for: of each request, or with [CallsClaim.Per] in each window of time. A
// relative bound is a multiple of the baseline's mean per request, rounded, or
// of its largest window.
func Calls(of string) CallsClaim { return CallsClaim{CallsSpec{Scope: Scope{Of: of}}} }

// Where is the expression over a leaf call. It sees what [ShareClaim.Where]
// sees, of the request that caused the call, and call: provider, api, model,
// stream, status, fault, latency, hung_up, attempt, tokens_in, tokens_out.
func (c CallsClaim) Where(expression string) CallsClaim { c.CallsSpec.Where = expression; return c }

// Per counts per window of this length instead of per request.
func (c CallsClaim) Per(window time.Duration) CallsClaim { c.CallsSpec.Per = window; return c }

// AtMost is the largest number allowed.
func (c CallsClaim) AtMost(n int) CallsClaim { c.Bound.AtMost = numberLimit(float64(n)); return c }

// AtLeast is the smallest number allowed.
func (c CallsClaim) AtLeast(n int) CallsClaim { c.Bound.AtLeast = numberLimit(float64(n)); return c }

// Equals is the only number allowed.
func (c CallsClaim) Equals(n int) CallsClaim { c.Bound.Equals = numberLimit(float64(n)); return c }

// AtMostBaseline bounds from above by a multiple of the baseline's value.
func (c CallsClaim) AtMostBaseline(factor float64) CallsClaim {
	c.Bound.AtMost = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c CallsClaim) In(phase string) CallsClaim { c.CallsSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [CallsClaim.In] names.
func (c CallsClaim) After(d time.Duration) CallsClaim { c.CallsSpec.In.After = d; return c }

// Outcome looks only at requests that ended so: any, ok, failed or degraded.
func (c CallsClaim) Outcome(outcome string) CallsClaim { c.CallsSpec.Outcome = outcome; return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c CallsClaim) Confidence(p float64) CallsClaim { c.CallsSpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c CallsClaim) MinSamples(n int) CallsClaim { c.CallsSpec.MinSamples = &n; return c }

// Kind is "calls".
func (CallsClaim) Kind() string { return "calls" }

// Says is the claim in words.
func (c CallsClaim) Says() string {
	return "calls" + c.Scope().words() + " with " + c.CallsSpec.Where + c.per() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c CallsClaim) Scope() Scope { return c.CallsSpec.Scope }

// Check reports a claim that can never be judged.
func (c CallsClaim) Check() error {
	if c.CallsSpec.Per < 0 {
		return fmt.Errorf("calls: per is %v: want a time above 0s, such as 1s", c.CallsSpec.Per)
	}
	if _, err := c.where(); err != nil {
		return fmt.Errorf("calls: %w", err)
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, callBounds())
}

func (c CallsClaim) per() string {
	if c.CallsSpec.Per == 0 {
		return ""
	}
	return " per " + c.CallsSpec.Per.String()
}

func (c CallsClaim) where() (*expression.Program, error) {
	if c.CallsSpec.Where == "" {
		return nil, fmt.Errorf("where is missing: want an expression over leaf calls, such as call.status == 429")
	}
	return compileCall(c.CallsSpec.Where)
}

func (c CallsClaim) need(s settings) need {
	n := countNeed(s, c.Bound, callsPerRequest)
	if c.CallsSpec.Per > 0 {
		n.samples = s.atLeast(leastWindows)
	}
	return n
}

// leastWindows is how many windows a claim per time needs.
const leastWindows = 5

func (c CallsClaim) judge(e *evidence) Finding {
	where := e.compiled(c.where())
	if where == nil {
		return e.finding("calls", len(e.requests), side{}, side{})
	}
	matches := func(q *Request, call *LeafCall) bool { return e.holds(where, e.callEnv(q, call)) }
	if c.CallsSpec.Per > 0 {
		return c.judgeWindows(e, matches)
	}
	count := func(q *Request) float64 { return e.countCalls(q, matches) }
	return e.judgeCounts(c.Bound, counted(e.requests, count), "request", e.meanPerRequest(count))
}

// judgeWindows counts the calls of the claim's requests in windows that follow
// one another; what is left of a span at its end is no window.
func (c CallsClaim) judgeWindows(e *evidence, matches func(*Request, *LeafCall) bool) Finding {
	windows := func(spans []span) []sample {
		return e.windows(spans, Seconds(c.CallsSpec.Per), matches)
	}
	return e.judgeCounts(c.Bound, windows(e.spans), "window", func() (float64, float64, float64, bool) {
		most, base := 0.0, windows(e.phaseSpans(PhaseBaseline))
		for _, w := range base {
			most = max(most, w.value)
		}
		return most, most, most, len(base) > 0
	})
}
