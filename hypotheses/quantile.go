package hypotheses

import (
	"math"
	"strconv"

	"github.com/brownout-chaos/brownout/hypotheses/stats"
)

const defaultQuantile = 0.99

// orDefault is the quantile of a claim.
func orDefault(q float64) float64 {
	if q == 0 {
		return defaultQuantile
	}
	return q
}

// quantileWords are p99, p99.9 or max.
func quantileWords(q float64) string {
	if q = orDefault(q); q == 1 {
		return "max"
	}
	return "p" + strconv.FormatFloat(math.Round(q*1e7)/1e5, 'f', -1, 64)
}

// quantileNeed is the need of a claim about a quantile of times.
func quantileNeed(s settings, q float64, b Bound) need {
	share := 1 - orDefault(q)
	n := need{samples: s.hard(), timed: true, outcomes: true, share: share}
	if firstOf(b.Below, b.AtMost) == nil {
		n.samples = s.atLeast(1) // one value over the bound already speaks for "above"
	} else if share > 0 {
		n.samples = max(s.minSamples, stats.Needed(share, 0, s.confidence))
	}
	for _, l := range []*Limit{b.Below, b.AtMost, b.Above, b.AtLeast} {
		switch {
		case l == nil:
		case l.Relative():
			n.baseline = true
		case n.bound == 0 || l.Value < n.bound:
			n.bound = l.Value
		}
	}
	return n
}

// judgeQuantile answers a claim about the q quantile of what measure says, in
// seconds. Measure says false for a request that is no sample.
func (e *evidence) judgeQuantile(q float64, b Bound, measure func(*Request) (float64, bool)) Finding {
	q = orDefault(q)
	samples := measured(e.requests, measure)
	upper, lower := e.sides(b, func() (float64, float64, float64, bool) {
		base := values(measured(e.baseline(), measure))
		v := stats.Quantile(base, q)
		return v, v, v, len(base) > 0
	})
	n := len(samples)
	f := e.finding("s", n, upper, lower)
	f.Value, f.Interval = quantileInterval(values(samples), q, e.confidence)
	f.Evidence = worstIDs(samples, upper.set)
	over, under := 0, 0
	for _, s := range samples {
		if s.value > upper.value || s.value == upper.value && upper.strict {
			over++
		}
		if s.value < lower.value || s.value == lower.value && lower.strict {
			under++
		}
	}
	tests := []test{}
	if upper.set {
		tests = append(tests, test{over, n, 1 - q, 1 - q, false, "over"})
	}
	if lower.set { // the quantile is above: fewer than q of the samples are under
		tests = append(tests, test{under, n, q, q, true, "under"})
	}
	return e.decide(f, tests...)
}

func measured(requests []*Request, measure func(*Request) (float64, bool)) []sample {
	list := []sample{}
	for _, r := range requests {
		if v, ok := measure(r); ok {
			list = append(list, sample{r.ID, v})
		}
	}
	return list
}

// quantileInterval is the value at the nearest rank and the order statistics
// around it. An end that the sample is too small for, or that is infinite, is
// nil.
func quantileInterval(values []float64, q, confidence float64) (*float64, []*float64) {
	if len(values) == 0 {
		return nil, nil
	}
	low, high := stats.QuantileRanks(len(values), q, confidence)
	at := func(rank int) *float64 {
		if rank < 1 || rank > len(values) {
			return nil
		}
		return finite(stats.Quantile(values, float64(rank)/float64(len(values))))
	}
	return finite(stats.Quantile(values, q)), []*float64{at(low), at(high)}
}

// orInfinite is the time unless the request failed: a user who got no answer
// waits for ever, except where the claim is about failures.
func (e *evidence) orInfinite(q *Request, seconds float64) float64 {
	if q.Outcome == Failed && e.scope.Outcome != outcomeFailed || q.End == 0 {
		return math.Inf(1)
	}
	return seconds
}
