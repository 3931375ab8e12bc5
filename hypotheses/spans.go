package hypotheses

import (
	"cmp"
	"fmt"
	"slices"
)

// wholeRun is the name of all judged phases together.
const wholeRun = "whole run"

// A span is a time that is looked at: a phase, or any time of the judged
// phases.
type span struct {
	phase      string // "": whatever the phase
	start, end Seconds
}

// has reports whether the request belongs to the span by its planned start.
func (s span) has(q *Request) bool {
	if s.phase != "" {
		return q.Phase == s.phase && q.Planned >= s.start
	}
	return q.judged() && q.Planned >= s.start && q.Planned < s.end
}

func covers(spans []span, q *Request) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.has(q) })
}

func during(spans []span, t Seconds) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return t >= s.start && t < s.end })
}

// overlaps reports whether the span and others have time in common.
func (s span) overlaps(others []span) bool {
	return slices.ContainsFunc(others, func(o span) bool { return s.start < o.end && o.start < s.end })
}

// merged are the times of the spans without what they have in common.
func merged(spans []span) []span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	list := []span{}
	for _, s := range sorted {
		if last := len(list) - 1; last >= 0 && s.start <= list[last].end {
			list[last].end = max(list[last].end, s.end)
			continue
		}
		list = append(list, span{start: s.start, end: s.end})
	}
	return list
}

func length(spans []span) float64 {
	total := Seconds(0)
	for _, s := range merged(spans) {
		total += s.end - s.start
	}
	return total.Float()
}

// spans are the times that a claim looks at, and their name in words.
func (r *record) spans(s Scope) ([]span, string) {
	if s.In.Phase != "" {
		list := r.phaseSpans(s.In.Phase)
		for i := range list {
			list[i].start += Seconds(s.In.After)
		}
		if s.In.After > 0 {
			return list, fmt.Sprintf("%s after %v", s.In.Phase, s.In.After)
		}
		return list, s.In.Phase
	}
	if len(r.experiment.Faults) == 0 && len(r.journal.Windows) == 0 {
		return r.wholeRun(), wholeRun
	}
	list, name := r.faultSpans()
	if s.Of == Bystanders || r.bystander(s.Of) {
		return r.untilRecovery(list), name + " and recovery"
	}
	return list, name
}

func (r *record) phaseSpans(name string) []span {
	list := []span{}
	for _, p := range r.journal.Phases {
		if p.Name == name {
			list = append(list, span{phase: p.Name, start: p.Start, end: p.End})
		}
	}
	return list
}

func (r *record) wholeRun() []span {
	list := []span{}
	for _, p := range r.journal.Phases {
		if p.Name != PhaseWarmup && p.Name != PhaseDrain {
			list = append(list, span{phase: p.Name, start: p.Start, end: p.End})
		}
	}
	return list
}

// faultSpans are the times in which a fault was active. A fault bound to a
// whole phase covers all requests of the phase: it is on before the first and
// off after the last, whatever the clock says.
func (r *record) faultSpans() ([]span, string) {
	list, names := []span{}, []string{}
	for _, w := range r.journal.Windows {
		spans, name := []span{{start: w.Start, end: w.End}}, "fault windows"
		if phase := r.wholePhase(w); phase != "" {
			spans, name = r.phaseSpans(phase), phase
		}
		for _, s := range spans {
			if !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		return list, names[0]
	}
	return list, "fault windows"
}

// wholePhase is the phase that the window's rule is bound to without a time of
// its own.
func (r *record) wholePhase(w Window) string {
	if w.Rule < 0 || w.Rule >= len(r.experiment.Faults) {
		return ""
	}
	rule := r.experiment.Faults[w.Rule]
	if rule.At != nil {
		return ""
	}
	return rule.Phase
}

// untilRecovery is the time from the first fault to the end of the phase
// recovery, or of the last phase where there is none.
func (r *record) untilRecovery(faults []span) []span {
	if len(faults) == 0 {
		return nil
	}
	start := slices.MinFunc(faults, func(a, b span) int { return cmp.Compare(a.start, b.start) }).start
	list := r.phaseSpans(PhaseRecovery)
	if len(list) == 0 {
		list = r.wholeRun()
	}
	end := start
	for _, s := range list {
		end = max(end, s.end)
	}
	return []span{{start: start, end: end}}
}

// lastFault is when the last fault went off.
func (r *record) lastFault() Seconds {
	end := Seconds(0)
	for _, w := range r.journal.Windows {
		end = max(end, w.End)
	}
	return end
}

// lastPlanned is the end of the last phase with planned requests.
func (r *record) lastPlanned() Seconds {
	end := Seconds(0)
	for _, s := range r.wholeRun() {
		end = max(end, s.end)
	}
	return end
}
