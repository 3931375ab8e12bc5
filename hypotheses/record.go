package hypotheses

import (
	"cmp"
	"slices"
)

// A record is a journal made ready for judging: in order, indexed, and with
// each leaf call given to the request that caused it.
type record struct {
	journal    Journal
	experiment Experiment
	requests   []*Request  // by planned start
	calls      []*LeafCall // by arrival
	byID       map[string]*Request
	owners     map[*LeafCall]*Request // of attributed calls
	callsOf    map[*Request][]*LeafCall
	foreign    map[*LeafCall]bool // calls of other runs
	primary    string             // provider whose answers are no fallbacks
	found      attribution
	tightest   float64 // bound of time of the claims together, in seconds; 0: none
}

func newRecord(j Journal) *record {
	r := &record{
		journal: j, experiment: j.Run.Experiment,
		byID:   map[string]*Request{},
		owners: map[*LeafCall]*Request{}, callsOf: map[*Request][]*LeafCall{}, foreign: map[*LeafCall]bool{},
		primary: primaryOf(j.Run.Experiment.Service),
	}
	for i := range j.Requests {
		q := &j.Requests[i]
		r.requests = append(r.requests, q)
		r.byID[q.ID] = q
	}
	for i := range j.Calls {
		r.calls = append(r.calls, &j.Calls[i])
	}
	slices.SortFunc(r.requests, func(a, b *Request) int {
		return cmp.Or(cmp.Compare(a.Planned, b.Planned), cmp.Compare(a.Seq, b.Seq))
	})
	slices.SortFunc(r.calls, func(a, b *LeafCall) int {
		return cmp.Or(cmp.Compare(a.Arrived, b.Arrived), cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.ID, b.ID))
	})
	r.attribute()
	return r
}

// primaryOf is the service's primary provider; where it has none, the first by
// name.
func primaryOf(s Service) string {
	name, err := s.PrimaryProvider()
	if err == nil {
		return name
	}
	for other := range s.Providers {
		if name == "" || other < name {
			name = other
		}
	}
	return name
}

// sent reports whether the request counts as a sample: it reached the service
// and the run saw its end.
func (q *Request) sent() bool { return q.Outcome != NotSent && q.Outcome != Dropped }

// judged reports whether the request lies in a phase that is judged.
func (q *Request) judged() bool { return q.Phase != PhaseWarmup && q.Phase != PhaseDrain }

// latency is the time from the planned start to the end, in seconds.
func (q *Request) latency() float64 { return (q.End - q.Planned).Float() }

// answeredBy is the provider of the last leaf call of the request that was
// answered well, "" where none was.
func (r *record) answeredBy(q *Request) string {
	name := ""
	for _, c := range r.callsOf[q] {
		if r.answeredWell(c) {
			name = c.Provider
		}
	}
	return name
}

// answeredWell reports whether the caller got a good answer: complete, with a
// status of success, and touched by no fault but one that only slows.
func (r *record) answeredWell(c *LeafCall) bool {
	complete := c.HungUp == "" && (c.Achieved.End == "clean" || c.Achieved.End == "")
	if c.Status < 200 || c.Status > 299 || !complete {
		return false
	}
	return c.Fault == "" || slices.Contains([]string{"slow_first_token", "slow_tokens", "stall"}, r.faultKind(c.Fault))
}

func (r *record) faultKind(name string) string {
	for _, w := range r.journal.Windows {
		if w.Name == name {
			return w.Kind
		}
	}
	return ""
}

// fellBack reports whether the request was not answered by the first choice:
// the service said so, or its last good answer came from another provider.
func (r *record) fellBack(q *Request) bool {
	if q.Outcome == Degraded {
		return true
	}
	if q.Outcome != OK || len(r.experiment.Service.Providers) < 2 || !r.found.perRequest() {
		return false
	}
	by := r.answeredBy(q)
	return by != "" && by != r.primary
}
