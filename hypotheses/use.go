package hypotheses

import (
	"slices"
	"time"
)

// faultLate is from when on a firing counts as late.
const faultLate = Seconds(5 * time.Millisecond)

// A faultUse is what one rule did over all its windows.
type faultUse struct {
	name, kind, to string
	network        bool
	planned        *float64
	windows        []Window
	spans          []span // the windows without what they outlasted their phase by
	matched, fired int
	wanted         int  // in all windows together; 0: no number was given
	requests       int  // that it reached
	inUse          bool // the service calls the target, or nobody counts its calls
	late           int
}

// faultUses lists the rules that were active, in the order of the experiment.
func (r *record) faultUses() []faultUse {
	list, places := []faultUse{}, map[int]int{}
	for _, w := range r.journal.Windows {
		place, known := places[w.Rule]
		if !known {
			place = len(list)
			places[w.Rule] = place
			list = append(list, faultUse{name: w.Name, kind: w.Kind, to: w.To, network: w.Network, planned: w.Planned})
		}
		use := &list[place]
		use.windows = append(use.windows, w)
		use.spans = append(use.spans, r.clipped(w))
		use.matched += w.Matched
		use.fired += w.Fired
		use.wanted += w.Wanted
	}
	for i := range list {
		r.reach(&list[i])
	}
	return list
}

// reach counts the requests that felt the rule. A network fault works on
// connections: while it fired, each call that was under way to its target felt
// it. Calls without a known request count as one each.
func (r *record) reach(use *faultUse) {
	owners, unknown := map[*Request]bool{}, 0
	_, counted := r.experiment.Service.Providers[use.to]
	use.inUse = !counted
	for _, c := range r.calls {
		use.inUse = use.inUse || c.Provider == use.to
		if !use.touched(c) {
			continue
		}
		if c.Late > faultLate {
			use.late++
		}
		if q := r.owners[c]; q != nil {
			owners[q] = true
		} else if !r.foreign[c] {
			unknown++
		}
	}
	use.requests = len(owners) + unknown
}

func (use faultUse) touched(c *LeafCall) bool {
	if !use.network {
		return c.Fault == use.name
	}
	if use.fired == 0 || c.Provider != use.to {
		return false
	}
	for _, w := range use.windows {
		if c.Arrived < w.End && w.Start < c.End {
			return true
		}
	}
	return false
}

// clipped is the time of the window. Where its rule is bound to a phase it ends
// with the phase: it is the switching off that takes a moment longer.
func (r *record) clipped(w Window) span {
	s := span{start: w.Start, end: w.End}
	if w.Rule < 0 || w.Rule >= len(r.experiment.Faults) {
		return s
	}
	for _, p := range r.phaseSpans(r.experiment.Faults[w.Rule].Phase) {
		s.end = min(s.end, p.end)
	}
	return s
}

// active reports whether the rule was on in one of the spans.
func (use faultUse) active(spans []span) bool {
	return slices.ContainsFunc(use.spans, func(s span) bool { return s.overlaps(spans) })
}

// enough reports whether the rule fired enough to speak of a fault: it reached
// 5 requests, or 5 connections, or did all it was told. Told without a number,
// a network fault is told to touch every connection; down does so by being on,
// and cannot count who knocks at a closed port.
func (use faultUse) enough() bool {
	if use.requests >= reached || use.wanted > 0 && use.fired >= use.wanted {
		return true
	}
	if use.network && use.kind == "down" {
		return use.inUse
	}
	every := use.planned == nil && use.fired == use.matched
	return use.network && use.fired > 0 && (use.fired >= reached || every)
}
