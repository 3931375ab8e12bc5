package hypotheses

import (
	"fmt"
	"slices"
)

// A Decision says, before anything starts, whether a plan can decide a
// hypothesis.
type Decision struct {
	Kind      string // of the hypothesis
	Says      string // the hypothesis in words
	Planned   int    // samples
	Needed    int    // samples without which it cannot hold
	Allowed   int    // planned samples that may be on the wrong side while it holds; 0 also where that depends on the baseline
	CanDecide bool   // the plan has the samples needed, or their number is not known ahead
	Advice    string // what would make the plan decide, or what to know; "": nothing
}

// Preflight says for each hypothesis whether the plan has the samples that it
// needs in order to hold. Planned is a journal of a run that has not happened:
// the experiment, its phases, its fault windows, and the planned requests with
// endpoint, phase and planned start. Without a list the hypotheses are those of
// the experiment.
//
// Requests of closed loops, and bystanders beside a phase whose end is not
// known, cannot be counted ahead: such a plan can decide.
func Preflight(planned Journal, list ...Hypothesis) []Decision {
	r := newRecord(planned)
	if len(list) == 0 {
		list = r.experiment.claimed()
	}
	decisions := []Decision{}
	for _, h := range list {
		decisions = append(decisions, r.decision(h))
	}
	return decisions
}

func (r *record) decision(h Hypothesis) Decision {
	e := r.evidence(h)
	d := Decision{Kind: h.Kind(), Says: e.says(h), Planned: len(e.covered), Needed: e.need.samples}
	if err := h.Check(); err != nil {
		d.Advice = err.Error()
		return d
	}
	d.Allowed = e.need.allowed(d.Planned, e.settings)
	if windowed, ok := h.(CallsClaim); ok && windowed.CallsSpec.Per > 0 {
		d.Planned = len(e.windows(e.spans, Seconds(windowed.CallsSpec.Per), func(*Request, *LeafCall) bool { return true }))
	}
	if recovery, ok := h.(RecoveryClaim); ok {
		return e.recoveryDecision(d, recovery)
	}
	base := len(e.requestsIn(e.phaseSpans(PhaseBaseline)))
	switch {
	case e.uncounted():
		d.CanDecide, d.Advice = true, "the number of samples is not known ahead"
	case d.Planned < max(1, d.Needed):
		d.Advice = fmt.Sprintf("%d samples planned, %d needed: %s", d.Planned, d.Needed, e.advice(d.Planned, d.Needed))
	case e.need.baseline && base < leastShares:
		d.Advice = fmt.Sprintf("%d requests planned in the baseline, %d needed to compare with", base, leastShares)
	default:
		d.CanDecide = true
	}
	return d
}

// recoveryDecision counts the requests after the last fault. To hold, the claim
// needs one whole window of them; to be refuted, the run must go on for longer
// than the bound as well.
func (e *evidence) recoveryDecision(d Decision, c RecoveryClaim) Decision {
	after, watched := len(e.afterFault()), (e.lastPlanned() - e.lastFault()).Float()
	window := e.recoveryWindow(after)
	d.Planned, d.Needed, d.Allowed = after, recoveryRequests, 0
	long := fmt.Sprintf("the plan goes on for %s after the fault, %%s needs %%s", inWords(max(0, watched)))
	switch whole := c.Bound.Within.Value + window; {
	case len(e.journal.Windows) == 0:
		d.Advice = "the experiment has no fault to recover from"
	case len(e.phaseSpans(PhaseBaseline)) == 0:
		d.Advice = "there is no phase named baseline to come back to"
	case e.uncounted():
		d.CanDecide, d.Advice = true, "the number of samples is not known ahead"
	case after < recoveryRequests || watched < window:
		d.Advice = fmt.Sprintf(long, "a window of recovery", inWords(window))
	case watched < whole:
		d.CanDecide, d.Advice = true, fmt.Sprintf(long, "a refutation", inWords(whole))
	default:
		d.CanDecide = true
	}
	return d
}

// uncounted reports whether the plan cannot list all samples of the claim.
func (e *evidence) uncounted() bool {
	for _, p := range e.experiment.Load.Phases {
		shape := e.record.shape(p.Name)
		open := e.ofBystanders() && (shape.Serial > 0 || p.For == 0) && e.experiment.Load.Bystanders > 0
		guessed := shape.Serial > 0 && e.timedIn(p.Name)
		if (shape.Users > 0 && !e.ofBystanders() || open || guessed) && e.touches(p.Name) {
			return true
		}
	}
	return false
}

// touches reports whether the claim looks at the phase.
func (e *evidence) touches(phase string) bool {
	return slices.ContainsFunc(e.phaseSpans(phase), func(p span) bool { return p.overlaps(e.spans) })
}

// timedIn reports whether the claim looks at a part of the phase by the clock,
// which a plan of serial requests does not know.
func (e *evidence) timedIn(phase string) bool {
	for _, p := range e.phaseSpans(phase) {
		for _, s := range e.spans {
			if p.overlaps([]span{s}) && (s.phase == "" || s.start > p.start) {
				return true
			}
		}
	}
	return false
}
