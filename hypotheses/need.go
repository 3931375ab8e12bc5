package hypotheses

import "github.com/brownout-chaos/brownout/hypotheses/stats"

// settings are what a claim is judged by.
type settings struct {
	confidence float64
	minSamples int // 0: what the kind needs
	providers  int // of the service
}

const defaultConfidence = 0.95

func newSettings(e Experiment, s Scope) settings {
	set := settings{confidence: defaultConfidence, providers: len(e.Service.Providers)}
	for _, c := range []*float64{e.Confidence, s.Confidence} {
		if c != nil {
			set.confidence = *c
		}
	}
	for _, n := range []*int{e.MinSamples, s.MinSamples} {
		if n != nil {
			set.minSamples = *n
		}
	}
	return set
}

// Samples without which hard claims do not hold, where min_samples names no
// other number.
const (
	hardCounts  = 30   // of requests, for claims about their leaf calls
	hardShare   = 0.01 // the share of counter-examples that must be ruled out
	leastShares = 30   // of requests, for claims relative to the baseline
)

// hard is the number of samples without a counter-example that a hard claim
// needs: 299 at 95 %.
func (s settings) hard() int { return s.atLeast(stats.Needed(hardShare, 0, s.confidence)) }

// atLeast is what the kind needs, or min_samples where it is given.
func (s settings) atLeast(kind int) int {
	if s.minSamples > 0 {
		return s.minSamples
	}
	return kind
}

// A callUse is what a claim needs to know about leaf calls.
type callUse int

const (
	noCalls         callUse = iota
	allCalls                // how many there were
	callsPerRequest         // which request caused which
)

// need is what a claim asks of a run before it can be answered.
type need struct {
	samples  int     // without which it cannot hold
	share    float64 // of the samples that may be on the wrong side of the first bound; 0: none, or not known ahead
	calls    callUse
	timed    bool    // compares times
	bound    float64 // its tightest absolute bound of time, in seconds; 0: none
	counts   bool    // one request with a wrong number of leaf calls refutes it, whatever else went wrong
	outcomes bool    // depends on failed_when and degraded_when
	baseline bool    // compares with the baseline
	good     bool    // more is better: the lower bound is the harmful side
}

// allowed is how many of n samples may be on the wrong side.
func (n need) allowed(samples int, s settings) int {
	if n.share <= 0 {
		return 0
	}
	return max(0, stats.Allowed(n.share, samples, s.confidence))
}

// shareNeed is the need of a claim that tests shares: of hits against an upper
// bound, of the others against a lower one.
func shareNeed(s settings, b Bound) need {
	n := need{}
	for _, l := range []*Limit{firstOf(b.Below, b.AtMost), firstOf(b.Above, b.AtLeast)} {
		if l == nil {
			continue
		}
		share := l.Value
		if l == b.Above || l == b.AtLeast {
			share = 1 - share
		}
		needed := max(s.minSamples, stats.Needed(share, 0, s.confidence))
		switch {
		case l.Relative():
			n.baseline, needed = true, s.atLeast(leastShares)
		case share <= 0:
			needed = s.hard()
		case n.share == 0:
			n.share = share
		}
		n.samples = max(n.samples, needed)
	}
	return n
}
