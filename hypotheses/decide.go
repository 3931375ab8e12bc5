package hypotheses

import (
	"fmt"
	"slices"

	"github.com/brownout-chaos/brownout/hypotheses/stats"
)

// maxEvidence is how many requests an answer names.
const maxEvidence = 5

// A sample is what a claim measured of one request.
type sample struct {
	id    string
	value float64
}

// A test asks whether at most a share of the samples is on the wrong side. It
// is the whole statistics of a verdict: quantiles, rates and hard bounds are
// all asked in this form.
type test struct {
	wrong, n  int
	low, high float64 // the share allowed, as far as it is known; high 0: a hard bound
	strict    bool    // a share of all, if that much is allowed, is still too much
	words     string  // what the wrong ones are: over, failed
}

func (t test) hard() bool { return t.high <= 0 }

// state answers the test: held when the upper end of the interval of the share
// is within what is allowed, refuted when its lower end is not. A hard bound
// is refuted by one counter-example, and held by enough samples without.
func (t test) state(s settings) State {
	if t.hard() {
		switch {
		case t.wrong > 0:
			return Refuted
		case t.n >= s.hard():
			return Held
		}
		return Inconclusive
	}
	switch {
	case stats.ShowsAbove(t.high, t.wrong, t.n, s.confidence):
		return Refuted
	case t.n >= s.minSamples && stats.ShowsAtMost(t.low, t.wrong, t.n, s.confidence) && (!t.strict || t.wrong != t.n):
		return Held
	}
	return Inconclusive
}

// needed is how many samples could have held without a wrong one.
func (t test) needed(s settings) int {
	if t.hard() {
		return s.hard()
	}
	return max(s.minSamples, stats.Needed(t.low, 0, s.confidence))
}

// reason says why the test is open, for machines and for people.
func (t test) reason(e *evidence) (Reason, string) {
	if needed := t.needed(e.settings); t.n < needed {
		return TooFewSamples, fmt.Sprintf("%s, %d needed: %s", plural(t.n, "request"), needed, e.advice(t.n, needed))
	}
	line := fmt.Sprintf("%s, %d %s: ", plural(t.n, "request"), t.wrong, t.words)
	allowed, refuting := stats.Allowed(t.low, t.n, e.confidence), stats.Refuting(t.high, t.n, e.confidence)
	switch {
	case allowed < 0:
		return IntervalStraddles, line + "the baseline is too uncertain to hold it: allow a margin, such as baseline + 1%"
	case refuting > t.n:
		return IntervalStraddles, fmt.Sprintf("%sat most %d hold, and the bound is too near the end of the scale to refute it", line, allowed)
	}
	return IntervalStraddles, fmt.Sprintf("%sat most %d hold, %d refute", line, allowed, refuting)
}

// decided says in words what a test found that is not open.
func (t test) decided(s settings, state State) string {
	line := fmt.Sprintf("%s, %d %s", plural(t.n, "request"), t.wrong, t.words)
	switch {
	case state == Refuted && t.hard():
		return line + ": none may be"
	case state == Refuted:
		return fmt.Sprintf("%s: at most %d may be", line, max(0, stats.Allowed(t.low, t.n, s.confidence)))
	case t.hard():
		return fmt.Sprintf("%s: rules out a rate above %s", line, percent(stats.Upper(0, t.n, s.confidence)))
	}
	return line
}

// decide answers a claim by the worst of its tests.
func (e *evidence) decide(f Finding, tests ...test) Finding {
	f.Status = Inconclusive
	if e.lacking != "" {
		f.Reason, f.Detail = TooFewSamples, e.lacking
		return f
	}
	for _, wanted := range []State{Refuted, Inconclusive, Held} {
		for _, t := range tests {
			if t.state(e.settings) != wanted {
				continue
			}
			f.Status = wanted
			if wanted == Inconclusive {
				f.Reason, f.Detail = t.reason(e)
			} else {
				f.Detail = t.decided(e.settings, wanted)
			}
			return f
		}
	}
	return f
}

// judgeShare answers a claim about the share of requests that hit.
func (e *evidence) judgeShare(b Bound, hit func(*Request) bool, hits, misses string) Finding {
	yes, no := e.split(e.requests, hit)
	upper, lower := e.sides(b, func() (float64, float64, float64, bool) {
		base, all := e.baseline(), 0
		for _, q := range base {
			if hit(q) {
				all++
			}
		}
		n := max(1, len(base))
		return stats.Lower(all, len(base), e.confidence), float64(all) / float64(n),
			stats.Upper(all, len(base), e.confidence), len(base) > 0
	})
	n := len(e.requests)
	f := e.finding("share", n, upper, lower)
	if n > 0 {
		f.Value = finite(float64(len(yes)) / float64(n))
		f.Interval = []*float64{finite(stats.Lower(len(yes), n, e.confidence)), finite(stats.Upper(len(yes), n, e.confidence))}
	}
	tests := []test{}
	if upper.set {
		tests = append(tests, test{len(yes), n, upper.low, upper.high, upper.strict, hits})
	}
	if lower.set {
		tests = append(tests, test{len(no), n, 1 - lower.high, 1 - lower.low, lower.strict, misses})
	}
	if f.Evidence = firstIDs(yes); e.need.good || !upper.set {
		f.Evidence = firstIDs(no)
	}
	return e.decide(f, tests...)
}

func (e *evidence) split(list []*Request, hit func(*Request) bool) (yes, no []*Request) {
	for _, q := range list {
		if hit(q) {
			yes = append(yes, q)
		} else {
			no = append(no, q)
		}
	}
	return yes, no
}

func firstIDs(list []*Request) []string {
	ids := []string{}
	for _, q := range list[:min(len(list), maxEvidence)] {
		ids = append(ids, q.ID)
	}
	return ids
}

// worstIDs are the requests with the largest values, or the smallest ones,
// largest or smallest first.
func worstIDs(samples []sample, largest bool) []string {
	sorted := slices.Clone(samples)
	slices.SortStableFunc(sorted, func(a, b sample) int {
		if largest {
			a, b = b, a
		}
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	})
	ids := []string{}
	for _, s := range sorted {
		if len(ids) < maxEvidence && s.id != "" && !slices.Contains(ids, s.id) {
			ids = append(ids, s.id)
		}
	}
	return ids
}

func values(samples []sample) []float64 {
	list := make([]float64, len(samples))
	for i, s := range samples {
		list[i] = s.value
	}
	return list
}
