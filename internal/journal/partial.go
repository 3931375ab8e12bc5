package journal

import (
	"cmp"
	"slices"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/hypotheses/stats"
)

// Killed is the End.AbortedBy of a journal without an end.
const Killed = "the run was killed: the journal has no end"

// order sorts records that goroutines wrote in whatever order.
func order(j *hypotheses.Journal) {
	slices.SortStableFunc(j.Phases, func(a, b hypotheses.PhaseSpan) int { return cmp.Compare(a.Start, b.Start) })
	slices.SortStableFunc(j.Windows, func(a, b hypotheses.Window) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Rule, b.Rule))
	})
	slices.SortStableFunc(j.Requests, func(a, b hypotheses.Request) int { return cmp.Compare(a.Seq, b.Seq) })
	slices.SortStableFunc(j.Calls, func(a, b hypotheses.LeafCall) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(j.Notes, func(a, b hypotheses.Note) int { return cmp.Compare(a.At, b.At) })
}

// fold keeps, of the records of a phase or window at its start and at its end,
// the later one.
func fold(j *hypotheses.Journal) {
	j.Phases = lastOf(j.Phases, func(a, b hypotheses.PhaseSpan) bool { return a.Name == b.Name && a.Start == b.Start })
	j.Windows = lastOf(j.Windows, func(a, b hypotheses.Window) bool { return a.Rule == b.Rule && a.Start == b.Start })
}

// lastOf keeps the last of neighbours that are the same.
func lastOf[T any](list []T, same func(a, b T) bool) []T {
	kept := list[:0]
	for i, item := range list {
		if i+1 == len(list) || !same(item, list[i+1]) {
			kept = append(kept, item)
		}
	}
	return kept
}

// shut ends what was open when the run was killed: a phase, and a window with
// the firings that its calls show.
func shut(j *hypotheses.Journal) {
	for i := range j.Phases {
		if p := &j.Phases[i]; p.End == 0 {
			p.End = max(p.Start, j.End.At)
		}
	}
	for i := range j.Windows {
		w := &j.Windows[i]
		if w.End != 0 {
			continue
		}
		w.End = max(w.Start, j.End.At)
		for _, c := range j.Calls {
			if c.Fault == w.Name && c.Provider == w.To {
				w.Fired++
			}
		}
		w.Matched = w.Fired
	}
}

// killed is the end of a run that did not live to write it: the last thing
// that was recorded, and the records counted.
func killed(j hypotheses.Journal) hypotheses.End {
	end := hypotheses.End{AbortedBy: Killed, Partial: true, Requests: len(j.Requests), Calls: map[string]int{}}
	for _, p := range j.Phases {
		end.At = max(end.At, p.End)
	}
	for _, r := range j.Requests {
		end.At = max(end.At, r.End)
	}
	for _, c := range j.Calls {
		end.At = max(end.At, c.End)
		end.Calls[c.Provider]++
	}
	for _, n := range j.Notes {
		end.At = max(end.At, n.At)
	}
	return end
}

// derived is what the records say about the harness's health.
func derived(j hypotheses.Journal) hypotheses.Health {
	var h hypotheses.Health
	var load, provider []float64
	for _, r := range j.Requests {
		if r.Outcome == hypotheses.NotSent {
			h.NotSent++
			continue
		}
		load = append(load, (r.Sent - r.Planned).Float())
	}
	for _, c := range j.Calls {
		provider = append(provider, c.Late.Float())
	}
	h.LoadLateness, h.ProviderLateness = p99(load), p99(provider)
	return h
}

func p99(seconds []float64) hypotheses.Seconds {
	if len(seconds) == 0 {
		return 0
	}
	return hypotheses.Seconds(stats.Quantile(seconds, 0.99) * 1e9)
}
