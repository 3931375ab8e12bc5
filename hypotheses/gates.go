package hypotheses

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/brownout-chaos/brownout/faults"
)

// Limits of what a run may have gone wrong by and still be judged.
const (
	lateFloor    = 0.005 // seconds that load or provider may always be late at p99
	lateShare    = 0.01  // of the tightest bound of time
	notSentShare = 0.001 // of the planned requests
	strayShare   = 0.02  // of the calls in the time of a claim: twice what attribution may lose in the baseline
	reached      = 5     // requests that a fault must have reached
)

// Kinds of notes that a verdict depends on.
const (
	noteInfrastructure = "infrastructure"
	noteClock          = "clock"
)

// A gate is one way in which a run can say nothing about a claim: its reason
// and what happened, or "".
type gate func(h Hypothesis, e *evidence, f Finding) (Reason, string)

// gates in order of precedence: the first that closes is the reason. They come
// before the claim's own too_few_samples and interval_straddles_bound, because
// more requests would not help.
func gates() []gate {
	return []gate{
		expressionGate, samplesGate, attributionGate, strayGate, callsGate, loadGate, generatorGate, providerGate,
		failedFaultGate, faultGate, steadyGate, clockGate, infrastructureGate,
	}
}

// gated is the finding after the gates.
func (e *evidence) gated(h Hypothesis, f Finding) Finding {
	for _, g := range gates() {
		if reason, detail := g(h, e, f); reason != "" {
			f.Status, f.Reason, f.Detail = Inconclusive, reason, detail
			return f
		}
	}
	return f
}

// stands reports whether the finding is a counter-example that no trouble of
// the harness explains away: a request with too many leaf calls made them.
func (e *evidence) stands(f Finding) bool { return f.Status == Refuted && e.need.counts }

// looked is when the claim looks: recovery also at what comes after the fault.
func (e *evidence) looked(h Hypothesis) []span {
	if h.Kind() != (RecoveryClaim{}).Kind() {
		return e.spans
	}
	return append(slices.Clone(e.spans), span{start: e.lastFault(), end: e.lastPlanned()})
}

func expressionGate(h Hypothesis, e *evidence, _ Finding) (Reason, string) {
	if e.trouble != "" {
		return ExpressionError, e.trouble
	}
	if !e.need.outcomes && e.scope.Outcome == "" {
		return "", ""
	}
	failed, first := 0, ""
	spans := e.looked(h)
	for _, q := range e.record.requests {
		if !covers(spans, q) || !e.experiment.Service.Covers(e.scope.Of, q.Endpoint) {
			continue
		}
		if q.ExprError != "" {
			if failed++; first == "" {
				first = q.ID + ": " + q.ExprError
			}
		}
	}
	if failed > 0 {
		return ExpressionError, fmt.Sprintf("an expression of the endpoint could not be evaluated for %s, the first %s", plural(failed, "request"), first)
	}
	return "", ""
}

func samplesGate(_ Hypothesis, e *evidence, _ Finding) (Reason, string) {
	switch {
	case len(e.spans) == 0:
		return TooFewSamples, fmt.Sprintf("the run has no %s", e.when)
	case len(e.covered) == 0:
		return TooFewSamples, fmt.Sprintf("no request of %s in %s", e.subject(), e.when)
	case len(e.requests) == 0:
		return TooFewSamples, fmt.Sprintf("of %s in %s none is a sample", plural(len(e.covered), "request"), e.when)
	}
	return "", ""
}

func attributionGate(_ Hypothesis, e *evidence, _ Finding) (Reason, string) {
	if e.need.calls != callsPerRequest || e.found.perRequest() || len(e.record.calls) == 0 {
		return "", ""
	}
	return AttributionTooLow, fmt.Sprintf("%s: %d of %d calls carry no id of a request", e.attributionWords(), e.found.orphans, len(e.record.calls))
}

// strayGate: the baseline may be attributed well, and the calls under the fault
// not. What belongs to no request, or could not arrive, proves that no request
// made too many.
func strayGate(_ Hypothesis, e *evidence, f Finding) (Reason, string) {
	if e.need.calls == noCalls || !e.found.perRequest() || f.Status != Held {
		return "", ""
	}
	calls, strays := 0, 0
	for _, c := range e.record.calls {
		if !during(e.spans, c.Arrived) || e.foreign[c] {
			continue
		}
		if calls++; e.owners[c] == nil {
			strays++
		}
	}
	if float64(strays) > strayShare*float64(calls) {
		return AttributionTooLow, fmt.Sprintf("%d of %d calls in %s belong to no request", strays, calls, e.when)
	}
	for _, w := range e.journal.Windows {
		if w.Network && w.Kind == (faults.Down{}).Kind() && e.need.counts && e.clipped(w).overlaps(e.spans) {
			return NoLeafCalls, fmt.Sprintf("%s closed the port: calls that found it closed were not seen", w.Name)
		}
	}
	return "", ""
}

func callsGate(_ Hypothesis, e *evidence, _ Finding) (Reason, string) {
	if e.need.calls == noCalls || len(e.record.calls) > 0 || e.totalCalls() > 0 {
		return "", ""
	}
	return NoLeafCalls, "no call reached a provider: does the service use their addresses?"
}

// totalCalls is how many calls reached the providers, also those that the
// journal had no room for.
func (r *record) totalCalls() int {
	total := 0
	for _, n := range r.callsByProvider() {
		total += n
	}
	return total
}

func loadGate(h Hypothesis, e *evidence, f Finding) (Reason, string) {
	planned, notSent := 0, 0
	spans := e.looked(h)
	for _, q := range e.record.requests {
		if covers(spans, q) {
			planned++
			if q.Outcome == NotSent {
				notSent++
			}
		}
	}
	if float64(notSent) <= notSentShare*float64(planned) || e.stands(f) {
		return "", ""
	}
	return LoadNotDelivered, fmt.Sprintf("%d of %s planned in %s were not sent: too many were open; raise in_flight or lower the rate",
		notSent, plural(planned, "request"), e.when)
}

// tolerance is how late load or provider may be for this claim, in seconds: 1 %
// of its own bound of time, else of the tightest one of all claims, else of
// the users' patience; 5 ms at least.
func (e *evidence) tolerance() float64 {
	bound := e.need.bound
	if bound == 0 {
		bound = e.tightest
	}
	if bound == 0 {
		bound = e.patience()
	}
	return max(lateFloor, lateShare*bound)
}

func (e *evidence) patience() float64 {
	shortest := math.Inf(1)
	for name, endpoint := range e.experiment.Service.Endpoints {
		if e.experiment.Service.Covers(e.scope.Of, name) {
			shortest = min(shortest, endpoint.Patience().Seconds())
		}
	}
	if math.IsInf(shortest, 1) {
		return 0
	}
	return shortest
}

func generatorGate(_ Hypothesis, e *evidence, f Finding) (Reason, string) {
	late := e.journal.Health.LoadLateness.Float()
	if late <= e.tolerance() || e.stands(f) {
		return "", ""
	}
	return GeneratorLate, fmt.Sprintf("requests left %s after their time at p99, %s is allowed: a slower rate or a quieter machine is needed",
		inWords(late), inWords(e.tolerance()))
}

func providerGate(_ Hypothesis, e *evidence, _ Finding) (Reason, string) {
	late := e.journal.Health.ProviderLateness.Float()
	if !e.need.timed || late <= e.tolerance() {
		return "", ""
	}
	return ProviderLate, fmt.Sprintf("the providers acted %s later than planned at p99, %s is allowed", inWords(late), inWords(e.tolerance()))
}

// failedFaultGate: a fault that could not be switched, or never was, is not the
// experiment.
func failedFaultGate(_ Hypothesis, e *evidence, f Finding) (Reason, string) {
	for i, rule := range e.experiment.Faults {
		on := slices.ContainsFunc(e.journal.Windows, func(w Window) bool { return w.Rule == i })
		meant := rule.Phase == "" || slices.ContainsFunc(e.phaseSpans(rule.Phase), func(s span) bool { return s.overlaps(e.spans) })
		if !on && meant && !e.stands(f) {
			return FaultNotObserved, e.experiment.RuleTitle(i) + " was never switched on"
		}
	}
	for _, w := range e.journal.Windows {
		if w.Failed != "" && e.record.clipped(w).overlaps(e.spans) && !e.stands(f) {
			return Infrastructure, fmt.Sprintf("%s could not be switched: %s", w.Name, w.Failed)
		}
	}
	return "", ""
}

func faultGate(_ Hypothesis, e *evidence, f Finding) (Reason, string) {
	if e.stands(f) {
		return "", ""
	}
	missing := []string{}
	for _, use := range e.faultUses() {
		if use.active(e.spans) && !use.enough() {
			missing = append(missing, fmt.Sprintf("%s fired %d times on %d looked at and reached %s, %d needed",
				use.name, use.fired, use.matched, plural(use.requests, "request"), reached))
		}
	}
	if len(missing) == 0 {
		return "", ""
	}
	return FaultNotObserved, strings.Join(missing, "; ")
}

// steadyGate closes when the same claim is refuted in the baseline, on its
// harmful side: the service was broken before the fault.
func steadyGate(h Hypothesis, e *evidence, _ Finding) (Reason, string) {
	if e.need.baseline || e.overlapsBaseline() {
		return "", ""
	}
	base := e.onBaseline()
	if len(base.requests) == 0 {
		return "", ""
	}
	if before := h.judge(base); before.Status == Refuted {
		return NoSteadyState, "so it is in the baseline already: " + before.Detail
	}
	return "", ""
}

func (e *evidence) overlapsBaseline() bool {
	return slices.ContainsFunc(e.phaseSpans(PhaseBaseline), func(b span) bool { return b.overlaps(e.spans) })
}

func clockGate(_ Hypothesis, e *evidence, _ Finding) (Reason, string) {
	if text := e.noted(noteClock); e.need.timed && text != "" {
		return ClockSkew, text
	}
	return "", ""
}

// infrastructureGate: what we broke ourselves refutes nothing, and records that
// are missing hold nothing.
func infrastructureGate(_ Hypothesis, e *evidence, f Finding) (Reason, string) {
	if text := e.noted(noteInfrastructure); text != "" && f.Status == Refuted && !e.need.counts {
		return Infrastructure, text
	}
	if n := e.journal.Health.Evicted; n > 0 && f.Status == Held {
		return Infrastructure, fmt.Sprintf("%s were dropped: the journal was full", plural(n, "record"))
	}
	return "", ""
}

// noted is the first note of a kind, "" where there is none.
func (e *evidence) noted(kind string) string {
	for _, n := range e.journal.Notes {
		if n.Kind == kind {
			return n.Text
		}
	}
	return ""
}
