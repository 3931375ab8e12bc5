package hypotheses

import (
	"fmt"
	"math"
)

// countNeed is the need of a hard claim about numbers of leaf calls.
func countNeed(s settings, b Bound, use callUse) need {
	n := need{samples: s.atLeast(hardCounts), calls: use, counts: true}
	for _, named := range b.list() {
		if named.limit != nil && named.limit.Relative() {
			n.baseline = true
		}
	}
	return n
}

// judgeCounts answers a hard claim: no sample is beyond a bound. One that is
// refutes it, whatever the number of samples; enough without hold it. Noun is
// what a sample is.
func (e *evidence) judgeCounts(b Bound, samples []sample, noun string, base reference) Finding {
	upper, lower := e.sides(b, base)
	f := e.finding("calls", len(samples), upper, lower)
	over, under, low, high := 0, 0, math.Inf(1), math.Inf(-1)
	for _, s := range samples {
		if upper.set && (s.value > upper.value || s.value == upper.value && upper.strict) {
			over++
		}
		if lower.set && (s.value < lower.value || s.value == lower.value && lower.strict) {
			under++
		}
		low, high = min(low, s.value), max(high, s.value)
	}
	f.Value, f.Evidence = finite(high), worstIDs(samples, true)
	if !upper.set || over == 0 && under > 0 {
		f.Value, f.Evidence = finite(low), worstIDs(samples, false)
	}
	return e.decideCounts(f, noun, over, under)
}

func (e *evidence) decideCounts(f Finding, noun string, over, under int) Finding {
	line := fmt.Sprintf("%s, %d over", plural(f.Samples, noun), over)
	if under > 0 {
		line = fmt.Sprintf("%s, %d over, %d under", plural(f.Samples, noun), over, under)
	}
	switch needed := e.need.samples; {
	case e.lacking != "":
		f.Status, f.Reason, f.Detail = Inconclusive, TooFewSamples, e.lacking
	case over+under > 0:
		f.Status, f.Detail = Refuted, line
	case f.Samples < needed:
		f.Status, f.Reason = Inconclusive, TooFewSamples
		f.Detail = fmt.Sprintf("%s, %d needed: %s", plural(f.Samples, noun), needed, e.advice(f.Samples, needed))
	default:
		f.Status, f.Detail = Held, line
	}
	return f
}

// meanPerRequest is the baseline of counts per request: their mean, rounded to
// a whole call, because a healthy request makes a whole number of calls.
func (e *evidence) meanPerRequest(count func(*Request) float64) reference {
	return func() (float64, float64, float64, bool) {
		base, total := e.baseline(), 0.0
		for _, q := range base {
			total += count(q)
		}
		mean := math.Round(total / float64(max(1, len(base))))
		if total > 0 {
			mean = max(1, mean) // most requests make none, such as cached ones: those that do make one
		}
		return mean, mean, mean, len(base) > 0
	}
}

func counted(requests []*Request, count func(*Request) float64) []sample {
	list := make([]sample, len(requests))
	for i, q := range requests {
		list[i] = sample{q.ID, count(q)}
	}
	return list
}
