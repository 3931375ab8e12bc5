package load

import (
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// guess is the length that a plan gives to a phase that ends with its last
// answer: so much per serial request. It only places the phases after it.
const guess = time.Second

// Plan lists the requests that [Drive] will send, in order of planned start,
// and the phases; the same seed gives the same plan. Numbers, ids and
// endpoints depend on the seed and the load alone, never on answers.
//
// What depends on answers cannot be planned. Serial requests are all planned
// for the start of their phase. Of each closed-loop user the first request is
// listed; how many follow is not known. Bystanders beside a phase without a
// known end are not listed. A phase that ends with its last answer gets a
// guessed length of one second per serial request.
func Plan(l hypotheses.Load, s hypotheses.Service, seed uint64) ([]hypotheses.Request, []hypotheses.PhaseSpan) {
	table := newTimetable(l, s, seed)
	requests, spans := []hypotheses.Request{}, []hypotheses.PhaseSpan{}
	start := time.Duration(0)
	for _, p := range table.phases {
		add := func(a arrival) {
			requests = append(requests, table.request(p.Name, a, start+a.at))
		}
		for _, a := range p.counted {
			add(a)
		}
		for user := range p.Users {
			add(table.next(p.lane+user, 0, table.mix))
		}
		for _, a := range p.open {
			add(a)
		}
		end := start + p.expected()
		spans = append(spans, hypotheses.PhaseSpan{
			Name: p.Name, Start: hypotheses.Seconds(start), End: hypotheses.Seconds(end),
		})
		start = end
	}
	return requests, spans
}

// expected is the length of the phase, guessed where it ends with an answer.
func (p phase) expected() time.Duration {
	if p.For > 0 {
		return p.For
	}
	return guess * time.Duration(max(1, p.Serial))
}
