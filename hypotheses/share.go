package hypotheses

import (
	"fmt"
	"time"

	"github.com/brownout-chaos/brownout/internal/expression"
)

// A ShareSpec is the claim of [Share] in files: the share of requests for which an expression is true.
type ShareSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
	Where string `json:"where"` // expression over a request: status == 429, body.cached == true, calls > 3, answered_by == "fallback"
}

// A ShareClaim is a hypothesis about the share of requests for which an expression is true.
type ShareClaim struct {
	ShareSpec `json:",inline"`
}

// Share claims the share of an endpoint's requests for which the expression of
// [ShareClaim.Where] is true.
func Share(of string) ShareClaim { return ShareClaim{ShareSpec{Scope: Scope{Of: of}}} }

// Where is the expression over a request. It sees status, error, header, body,
// events, text, latency, calls and answered_by.
func (c ShareClaim) Where(expression string) ShareClaim { c.ShareSpec.Where = expression; return c }

// Below bounds the share, 0 to 1, from above.
func (c ShareClaim) Below(share float64) ShareClaim { c.Bound.Below = numberLimit(share); return c }

// AtMost bounds the share, 0 to 1, from above; 0 is a hard bound.
func (c ShareClaim) AtMost(share float64) ShareClaim { c.Bound.AtMost = numberLimit(share); return c }

// Above bounds the share, 0 to 1, from below.
func (c ShareClaim) Above(share float64) ShareClaim { c.Bound.Above = numberLimit(share); return c }

// AtLeast bounds the share, 0 to 1, from below; 1 is a hard bound.
func (c ShareClaim) AtLeast(share float64) ShareClaim { c.Bound.AtLeast = numberLimit(share); return c }

// BelowBaseline bounds from above by a multiple of the baseline's value.
func (c ShareClaim) BelowBaseline(factor float64) ShareClaim {
	c.Bound.Below = baselineLimit(factor)
	return c
}

// AboveBaseline bounds from below by a multiple of the baseline's value.
func (c ShareClaim) AboveBaseline(factor float64) ShareClaim {
	c.Bound.Above = baselineLimit(factor)
	return c
}

// In looks at one phase.
func (c ShareClaim) In(phase string) ShareClaim { c.ShareSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [ShareClaim.In] names.
func (c ShareClaim) After(d time.Duration) ShareClaim { c.ShareSpec.In.After = d; return c }

// Outcome looks only at requests that ended so: any, ok, failed or degraded.
func (c ShareClaim) Outcome(outcome string) ShareClaim { c.ShareSpec.Outcome = outcome; return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c ShareClaim) Confidence(p float64) ShareClaim { c.ShareSpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c ShareClaim) MinSamples(n int) ShareClaim { c.ShareSpec.MinSamples = &n; return c }

// Kind is "share".
func (ShareClaim) Kind() string { return "share" }

// Says is the claim in words.
func (c ShareClaim) Says() string {
	return "share" + c.Scope().words() + " with " + c.ShareSpec.Where + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c ShareClaim) Scope() Scope { return c.ShareSpec.Scope }

// Check reports a claim that can never be judged.
func (c ShareClaim) Check() error {
	if _, err := c.where(); err != nil {
		return fmt.Errorf("share: %w", err)
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofShare, keys: twoSided(), relative: true})
}

func (c ShareClaim) where() (*expression.Program, error) { return compileRequest(c.ShareSpec.Where) }

func (c ShareClaim) need(s settings) need {
	n := shareNeed(s, c.Bound)
	n.outcomes = true
	if p, err := c.where(); err == nil && usesCalls(p) {
		n.calls = callsPerRequest
	}
	return n
}

func (c ShareClaim) judge(e *evidence) Finding {
	where := e.compiled(c.where())
	if where == nil {
		return e.finding("share", len(e.requests), side{}, side{})
	}
	hit := func(q *Request) bool { return e.holds(where, e.requestEnv(q)) }
	return e.judgeShare(c.Bound, hit, "match", "do not match")
}
