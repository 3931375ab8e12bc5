package load

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/expression"
)

// An answer is what expressions look at.
type answer struct {
	header http.Header
	body   *kept // of answers that are not streamed; nil: none, or not needed
	text   *kept // of the token events of a stream; nil: none, or not needed
}

// needs is what of an answer must be kept.
type needs struct {
	body bool
	text bool
}

func newNeeds(failed, degraded *expression.Program, seen []string) needs {
	paths := slices.Clone(seen)
	for _, p := range []*expression.Program{failed, degraded} {
		if p != nil {
			paths = append(paths, p.Paths()...)
		}
	}
	n := needs{}
	for _, path := range paths {
		n.body = n.body || root(path) == "body"
		n.text = n.text || root(path) == "text"
	}
	return n
}

// compileOutcome compiles failed_when or degraded_when; nil where there is
// none.
func compileOutcome(source string) (*expression.Program, error) {
	if source == "" {
		return nil, nil
	}
	return expression.Compile(source, requestVariables(hypotheses.Request{}, answer{}, needs{}))
}

// requestVariables are what the expressions of an endpoint see. What did not
// come is nil, zero or empty. Names of headers are in lower case.
func requestVariables(r hypotheses.Request, a answer, n needs) map[string]any {
	header := map[string]string{}
	for name, values := range a.header {
		header[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	variables := map[string]any{
		"status":  r.Status,
		"error":   string(r.Error),
		"header":  header,
		"body":    nil,
		"events":  r.Events,
		"text":    "",
		"latency": (r.End - r.Planned).Duration(),
	}
	if n.body && a.body != nil {
		variables["body"] = a.body.json()
	}
	switch {
	case a.text != nil:
		variables["text"] = string(a.text.bytes)
	case n.text && a.body != nil:
		variables["text"] = string(a.body.bytes)
	}
	return variables
}

// decide says how the request ended for its user, and keeps what hypotheses
// will look at. A request that got no complete answer has already failed.
func (e *endpoint) decide(r *hypotheses.Request, a answer) {
	variables := requestVariables(*r, a, e.needs)
	if over := a.body != nil && a.body.over || a.text != nil && a.text.over; over {
		note(r, fmt.Errorf("the answer is longer than the %d bytes that expressions can see", maxKept))
	}
	if r.Outcome == "" {
		e.failIfBad(r, variables)
	}
	if r.Outcome == "" {
		r.Outcome = hypotheses.OK
		if yes, _ := e.holds(r, "degraded_when", e.degraded, variables); yes {
			r.Outcome = hypotheses.Degraded
		}
	}
	variables["error"] = string(r.Error)
	r.Seen = see(e.seen, variables)
}

// failIfBad applies failed_when and the default rule, status >= 400, which
// stands unless failed_when is about the status and could be evaluated.
func (e *endpoint) failIfBad(r *hypotheses.Request, variables map[string]any) {
	bad := r.Status >= http.StatusBadRequest
	if !bad || e.failedByStatus {
		yes, known := e.holds(r, "failed_when", e.failed, variables)
		if yes {
			r.Outcome, r.Error, r.Detail = hypotheses.Failed, hypotheses.ErrFailedWhen, fmt.Sprintf("%s, status %d", e.failed, r.Status)
			return
		}
		bad = bad && !known
	}
	if bad {
		r.Outcome, r.Error, r.Detail = hypotheses.Failed, hypotheses.ErrStatus, fmt.Sprintf("status %d", r.Status)
	}
}

// holds evaluates an expression of the endpoint; none never holds. One that
// cannot be evaluated is not known to hold, and the request says so.
func (e *endpoint) holds(r *hypotheses.Request, key string, p *expression.Program, variables map[string]any) (yes, known bool) {
	if p == nil {
		return false, true
	}
	yes, err := p.Bool(variables)
	if err != nil {
		note(r, fmt.Errorf("%s: %w", key, err))
		return false, false
	}
	return yes, true
}

// note keeps the first error of an expression.
func note(r *hypotheses.Request, err error) {
	if r.ExprError == "" {
		r.ExprError = err.Error()
	}
}
