package hypotheses

import (
	"fmt"
	"math"
	"slices"

	"github.com/brownout-chaos/brownout/internal/expression"
)

// evidence is what one claim is judged on.
type evidence struct {
	*record
	settings
	scope    Scope
	need     need
	spans    []span     // when the claim looks
	when     string     // the same in words
	covered  []*Request // of the claim's endpoints, planned in its spans
	requests []*Request // those of them that are samples
	steady   bool       // only the harmful side is looked at, for the baseline
	trouble  string     // an expression could not be evaluated: why
	lacking  string     // the baseline has nothing to compare with: what
}

func (r *record) evidence(h Hypothesis) *evidence {
	s := h.Scope()
	e := &evidence{record: r, scope: s, settings: newSettings(r.experiment, s)}
	e.need = h.need(e.settings)
	e.look(r.spans(s))
	return e
}

// onBaseline is the evidence of the same claim in the baseline phase.
func (e *evidence) onBaseline() *evidence {
	base := &evidence{record: e.record, scope: e.scope, settings: e.settings, need: e.need, steady: true}
	base.look(e.phaseSpans(PhaseBaseline), PhaseBaseline)
	return base
}

// look sets the time and collects the requests in it.
func (e *evidence) look(spans []span, when string) {
	e.spans, e.when = spans, when
	e.covered = e.requestsIn(spans)
	e.requests = e.samplesOf(e.covered)
}

// requestsIn are the requests of the claim's endpoints in the spans.
func (e *evidence) requestsIn(spans []span) []*Request {
	list := []*Request{}
	for _, q := range e.record.requests {
		if covers(spans, q) && e.experiment.Service.Covers(e.scope.Of, q.Endpoint) {
			list = append(list, q)
		}
	}
	return list
}

// samplesOf are the requests that the service got and that ended as the claim
// asks.
func (e *evidence) samplesOf(list []*Request) []*Request {
	return slices.DeleteFunc(slices.Clone(list), func(q *Request) bool {
		return !q.sent() || !e.scope.wants(q.Outcome)
	})
}

func (s Scope) wants(o Outcome) bool {
	return s.Outcome == "" || s.Outcome == outcomeAny || s.Outcome == string(o)
}

// baseline are the samples of the same claim in the baseline phase.
func (e *evidence) baseline() []*Request {
	return e.samplesOf(e.requestsIn(e.phaseSpans(PhaseBaseline)))
}

// holds evaluates an expression. One that cannot be evaluated is remembered
// and makes the claim inconclusive.
func (e *evidence) holds(p *expression.Program, env map[string]any) bool {
	if p == nil {
		return true
	}
	yes, err := p.Bool(env)
	if err != nil && e.trouble == "" {
		e.trouble = err.Error()
	}
	return yes && err == nil
}

// compiled is a compiled expression, checked against what the run recorded.
func (e *evidence) compiled(p *expression.Program, err error) *expression.Program {
	if err != nil {
		e.trouble = err.Error()
		return nil
	}
	if p == nil {
		return nil
	}
	for _, path := range recordedPaths(p) {
		if !slices.ContainsFunc(e.journal.Run.Recorded, func(kept string) bool { return kept == path || partOf(path, kept) }) {
			e.trouble = fmt.Sprintf("where looks at %s, which this run did not record: run again with this hypothesis in the experiment", path)
		}
	}
	return p
}

// requestEnv is what an expression sees of a request.
func (e *evidence) requestEnv(q *Request) map[string]any {
	return requestFields(q, len(e.callsOf[q]), e.answeredBy(q))
}

// A side is one limit of a bound, in absolute terms. A limit relative to the
// baseline is only known to lie between low and high.
type side struct {
	set              bool
	low, value, high float64
	strict           bool // the limit itself is on the wrong side
}

// A reference is the baseline's value with its uncertainty; known is false
// where the baseline has no sample.
type reference func() (low, value, high float64, known bool)

// sides are the two limits of a bound. For the steady-state check only the
// absolute limit on the harmful side is left.
func (e *evidence) sides(b Bound, base reference) (upper, lower side) {
	up, low := firstOf(b.Below, b.AtMost), firstOf(b.Above, b.AtLeast)
	if b.Equals != nil {
		up, low = b.Equals, b.Equals
	}
	upper = e.side(up, b.Below != nil, base)
	lower = e.side(low, b.Above != nil, base)
	if e.steady && e.need.good {
		upper.set = false
	} else if e.steady {
		lower.set = false
	}
	return upper, lower
}

func (e *evidence) side(l *Limit, strict bool, base reference) side {
	if l == nil || l.Relative() && e.steady {
		return side{}
	}
	if !l.Relative() {
		return side{set: true, low: l.Value, value: l.Value, high: l.Value, strict: strict}
	}
	low, value, high, known := base()
	if !known || math.IsInf(value, 0) {
		e.lacking = "the baseline has no value to compare with"
		return side{}
	}
	return side{set: true, low: l.Resolve(low), value: l.Resolve(value), high: l.Resolve(high), strict: strict}
}

// finding starts the answer of a claim with n samples.
func (e *evidence) finding(unit string, n int, upper, lower side) Finding {
	f := Finding{Status: Inconclusive, Unit: unit, Samples: n, Evidence: []string{}}
	switch {
	case upper.set:
		f.Bound = finite(upper.value)
	case lower.set:
		f.Bound = finite(lower.value)
	}
	return f
}

// finite is the number, nil where JSON has none.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}
