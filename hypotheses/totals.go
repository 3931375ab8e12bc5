package hypotheses

import (
	"fmt"
	"sort"

	"github.com/brownout-chaos/brownout/hypotheses/stats"
)

// second is the unit of totals that no request can be named for.
const second = Seconds(1e9)

// windows counts the matching calls of the claim in windows that follow one
// another through the spans. What is left at the end of a span is no window.
func (e *evidence) windows(spans []span, length Seconds, matches func(*Request, *LeafCall) bool) []sample {
	list := []sample{}
	for _, s := range merged(spans) {
		for start := s.start; start+length <= s.end; start += length {
			w := sample{}
			for _, call := range e.callsIn(start, start+length) {
				q := e.owners[call]
				if q == nil {
					q = &Request{}
				}
				if matches(q, call) {
					w.value++
					w.id = q.ID
				}
			}
			list = append(list, w)
		}
	}
	return list
}

// arrived are the calls that arrived in a time.
func (r *record) arrived(start, end Seconds) []*LeafCall {
	from := func(at Seconds) int {
		return sort.Search(len(r.calls), func(i int) bool { return r.calls[i].Arrived >= at })
	}
	return r.calls[from(start):from(end)]
}

// callsIn are the calls that the claim is about and that arrived in a time.
func (e *evidence) callsIn(start, end Seconds) []*LeafCall {
	list := []*LeafCall{}
	for _, call := range e.record.arrived(start, end) {
		if e.concerns(call) {
			list = append(list, call)
		}
	}
	return list
}

// callTotals are leaf calls and requests, now and in the baseline: request by
// request where calls are attributed, else second by second.
func (e *evidence) callTotals() (now, base stats.Totals, err error) {
	if e.found.perRequest() {
		return e.perRequest(e.requests), e.perRequest(e.baseline()), nil
	}
	if !e.aboutAll() {
		return now, base, fmt.Errorf("%s: the total of all calls says nothing about %s alone", e.attributionWords(), e.subject())
	}
	return e.perSecond(e.spans), e.perSecond(e.phaseSpans(PhaseBaseline)), nil
}

// aboutAll reports whether the claim covers every endpoint that may cause leaf
// calls.
func (e *evidence) aboutAll() bool {
	for _, q := range e.record.requests {
		if !e.bystander(q.Endpoint) && !e.experiment.Service.Covers(e.scope.Of, q.Endpoint) {
			return false
		}
	}
	return true
}

func (e *evidence) perRequest(requests []*Request) stats.Totals {
	t := stats.Totals{}
	for _, q := range requests {
		t.Add(float64(len(e.callsOf[q])), 1)
	}
	return t
}

func (e *evidence) perSecond(spans []span) stats.Totals {
	t := stats.Totals{}
	for _, s := range merged(spans) {
		for start := s.start; start < s.end; start += second {
			bin := span{start: start, end: min(start+second, s.end)}
			calls := 0
			for _, call := range e.record.arrived(bin.start, bin.end) {
				if !e.foreign[call] {
					calls++
				}
			}
			t.Add(float64(calls), float64(len(e.samplesOf(e.requestsIn([]span{bin})))))
		}
	}
	return t
}

// attributionWords is how well calls were given to requests, in words.
func (r *record) attributionWords() string {
	return fmt.Sprintf("the calls of %s of the requests were found, %s needed", percentExact(r.found.share), percentExact(attributed))
}
