package hypotheses

import (
	"slices"
	"time"
)

// Judge answers the hypotheses from the journal; without any, those of the
// journal's experiment. It is a pure function: the same journal gives the same
// verdict, byte for byte in JSON.
//
// To the claims it adds one of its own, alive, where brownout started the
// service: a service that ended by itself refutes it.
func Judge(j Journal, list ...Hypothesis) Verdict {
	r := newRecord(j)
	if len(list) == 0 {
		list = r.experiment.claimed()
	}
	r.tightest = r.tightestBound(list)
	v := Verdict{
		Version: 1, Tool: j.Run.Tool, Experiment: r.experiment.Title, Seed: j.Run.Seed,
		AbortedBy: j.End.AbortedBy, Started: j.Run.Started.UTC().Format(time.RFC3339Nano),
		DurationS: j.End.At.Float(), Command: j.Run.Command,
		Phases: phaseReports(j), Findings: []Finding{},
		Faults: r.faultReports(), Requests: r.requestReport(), LeafCalls: r.callReport(),
	}
	for _, h := range list {
		v.Findings = append(v.Findings, r.answer(h))
	}
	v.Findings = append(v.Findings, r.alive()...)
	v.Health = r.healthReport(r.tightest)
	v.Status = fold(v.Findings, v.AbortedBy)
	return v
}

func (e Experiment) claimed() []Hypothesis {
	list := []Hypothesis{}
	for _, claim := range e.Hypotheses {
		if claim.Hypothesis != nil {
			list = append(list, claim.Hypothesis)
		}
	}
	return list
}

// answer judges one hypothesis and passes it through the gates.
func (r *record) answer(h Hypothesis) Finding {
	e := r.evidence(h)
	f := Finding{Status: Inconclusive, Reason: ExpressionError, Evidence: []string{}}
	if err := h.Check(); err != nil {
		f.Detail = err.Error()
	} else {
		f = e.gated(h, h.judge(e))
	}
	f.Kind, f.Says, f.Of, f.Phase = h.Kind(), e.says(h), e.scope.Of, e.when
	f.Confidence = e.confidence
	return f
}

// says is the claim in words with the time it looks at.
func (e *evidence) says(h Hypothesis) string {
	switch {
	case h.Kind() == RecoveryClaim{}.Kind() || !e.scope.In.IsZero():
		return h.Says()
	case e.when == wholeRun:
		return h.Says() + " in the " + wholeRun
	}
	return h.Says() + " during " + e.when
}

// tightestBound is the smallest bound of time of the claims, in seconds.
func (r *record) tightestBound(list []Hypothesis) float64 {
	bounds := []float64{}
	for _, h := range list {
		if n := h.need(newSettings(r.experiment, h.Scope())); n.bound > 0 {
			bounds = append(bounds, n.bound)
		}
	}
	if len(bounds) == 0 {
		return 0
	}
	return slices.Min(bounds)
}

// fold is the answer of all findings together. One that is refuted decides,
// also in a run that was aborted. No finding at all is no answer.
func fold(list []Finding, abortedBy string) State {
	states := []State{}
	for _, f := range list {
		states = append(states, f.Status)
	}
	state := worst(states...)
	switch {
	case state == Refuted:
		return Refuted
	case abortedBy != "":
		return Aborted
	case len(list) == 0:
		return Inconclusive
	}
	return state
}

// alive is the built-in claim about a service that brownout started, or that
// was seen to end.
func (r *record) alive() []Finding {
	died := r.journal.End.Died
	if died == "" && r.experiment.Service.Subject.Command == nil {
		return nil
	}
	f := Finding{
		Kind: "alive", Says: "the service stays alive", Phase: wholeRun, Status: Held,
		Confidence: 1, Detail: "it ran until it was stopped", Evidence: []string{},
	}
	switch {
	case died != "":
		f.Status, f.Detail = Refuted, "the service ended by itself: "+died
	case r.journal.End.Partial:
		f.Status, f.Detail = Aborted, "the run was killed: how the service ended was not seen"
	}
	return []Finding{f}
}
