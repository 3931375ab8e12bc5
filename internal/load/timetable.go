package load

import (
	"slices"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// A timetable is the whole schedule of a load. Planned requests are numbered
// from 1 in the order of the plan. Requests whose number is not known ahead
// come in lanes, one per closed-loop user and one per stream of bystanders
// without a known end: with n planned requests and m lanes, request i of lane
// k has the number n + i*m + k + 1.
type timetable struct {
	seed       uint64
	phases     []phase
	mix        mix
	bystanders mix
	planned    int
	lanes      int
}

// A phase is a phase of the load with its arrivals.
type phase struct {
	hypotheses.Phase // with the shape of the load where it has none itself

	counted []arrival // serial or burst
	open    []arrival // rate and bystanders, by time
	lane    int       // the first lane of the phase: its users, then its bystanders
	endless *arrivals // bystanders of a phase whose end is not known ahead; nil: none
}

// An arrival is one planned request.
type arrival struct {
	at       time.Duration // since the start of the phase
	seq      int
	endpoint string
}

func newTimetable(l hypotheses.Load, s hypotheses.Service, seed uint64) *timetable {
	t := &timetable{seed: seed, mix: newMix(l.Mix), bystanders: evenMix(s.EndpointNames(true))}
	if len(l.Mix) == 0 {
		t.mix = evenMix(s.EndpointNames(false))
	}
	for i, p := range l.Phases {
		if p.Shape.IsZero() {
			p.Shape = l.Shape
		}
		t.add(p, l, uint64(i))
	}
	return t
}

func (t *timetable) add(p hypotheses.Phase, l hypotheses.Load, index uint64) {
	planned := phase{Phase: p, lane: t.lanes}
	t.lanes += p.Users
	for range p.Serial + p.Burst {
		planned.counted = append(planned.counted, t.number(0, t.mix))
	}
	users := newArrivals(l.Arrivals, p.Rate, t.seed, 2*index).until(p.For)
	others := newArrivals(l.Arrivals, l.Bystanders, t.seed, 2*index+1)
	if l.Bystanders > 0 && !planned.timed() {
		planned.endless = others
		t.lanes++
	} else {
		planned.open = t.merge(users, others.until(p.For))
	}
	t.phases = append(t.phases, planned)
}

// timed reports whether the end of the phase is known ahead.
func (p phase) timed() bool { return p.For > 0 && p.Serial == 0 }

// merge numbers two streams of arrivals by time.
func (t *timetable) merge(users, bystanders []time.Duration) []arrival {
	merged := make([]arrival, 0, len(users)+len(bystanders))
	for len(users)+len(bystanders) > 0 {
		from, draw := &users, t.mix
		if len(users) == 0 || len(bystanders) > 0 && bystanders[0] < users[0] {
			from, draw = &bystanders, t.bystanders
		}
		merged = append(merged, t.number((*from)[0], draw))
		*from = (*from)[1:]
	}
	return slices.Clip(merged)
}

func (t *timetable) number(at time.Duration, m mix) arrival {
	t.planned++
	return arrival{at: at, seq: t.planned, endpoint: m.draw(t.seed, t.planned)}
}

// next is request i of a lane.
func (t *timetable) next(lane, i int, m mix) arrival {
	seq := t.planned + i*t.lanes + lane + 1
	return arrival{seq: seq, endpoint: m.draw(t.seed, seq)}
}

// request is the record of a request that has not been sent.
func (t *timetable) request(phase string, a arrival, planned time.Duration) hypotheses.Request {
	return hypotheses.Request{
		ID:       hypotheses.RequestID(a.seq),
		Seq:      a.seq,
		Endpoint: a.endpoint,
		Phase:    phase,
		Trace:    hypotheses.TraceID(t.seed, a.seq),
		Planned:  hypotheses.Seconds(planned),
	}
}
