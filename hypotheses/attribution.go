package hypotheses

import (
	"regexp"
	"slices"
	"strings"
)

// attributed is the share of requests whose calls must be found before
// anything is said about single requests.
const attributed = 0.99

// attribution is how well leaf calls were given to the requests that caused
// them.
//
// Each call goes to the request that the first rung of the service's ladder
// names, among the requests of this run. A call that names a request which this
// run did not send is foreign; a call that names none is an orphan. The method
// is the rung that gave most calls, or [RungTotals] when share is below 99 %.
type attribution struct {
	method   Rung
	share    float64 // of our requests in the baseline (without one, in the run) whose calls were found
	calls    int     // given to a request
	orphans  int
	foreign  int
	baseline int // orphans in the baseline
}

// perRequest reports whether claims about the calls of single requests can be
// judged.
func (a attribution) perRequest() bool { return a.share >= attributed }

func (r *record) attribute() {
	ladder := r.ladder()
	byRung := map[Rung]int{}
	orphans := []*LeafCall{}
	for _, c := range r.calls {
		q, rung, foreign := ladder.owner(c)
		switch {
		case q != nil:
			r.owners[c] = q
			r.callsOf[q] = append(r.callsOf[q], c)
			byRung[rung]++
		case foreign:
			r.foreign[c] = true
		default:
			orphans = append(orphans, c)
		}
	}
	r.found.calls, r.found.orphans, r.found.foreign = len(r.owners), len(orphans), len(r.foreign)
	r.measureAttribution(orphans)
	r.found.method = RungTotals
	for _, rung := range ladder.rungs {
		if r.found.perRequest() && byRung[rung] > byRung[r.found.method] {
			r.found.method = rung
		}
	}
}

// measureAttribution sets the share. A request without calls that were found
// either made none (a cache, an endpoint that needs no provider) or made calls
// that are orphans now: no more requests can have lost their calls than there
// are orphans.
func (r *record) measureAttribution(orphans []*LeafCall) {
	for _, s := range [][]span{r.phaseSpans(PhaseBaseline), r.wholeRun()} {
		found, without, lost := 0, 0, 0
		for _, q := range r.requests {
			switch {
			case !covers(s, q) || !q.sent() || r.bystander(q.Endpoint):
			case len(r.callsOf[q]) > 0:
				found++
			default:
				without++
			}
		}
		for _, c := range orphans {
			if during(s, c.Arrived) {
				lost++
			}
		}
		r.found.baseline = lost
		if known := found + min(without, lost); known > 0 {
			r.found.share = float64(found) / float64(known)
			return
		}
	}
}

func (r *record) bystander(endpoint string) bool {
	return r.experiment.Service.Covers(Bystanders, endpoint)
}

// A ladder finds the owners of leaf calls.
type ladder struct {
	rungs   []Rung
	byID    map[string]*Request
	byTrace map[string]*Request
	serial  []*Request // of phases with one request at a time, by planned start
	others  []span     // phases in which requests overlap
	form    *regexp.Regexp
}

func (r *record) ladder() ladder {
	l := ladder{
		rungs: r.experiment.Service.Attribution.By,
		byID:  r.byID, byTrace: map[string]*Request{},
		form: regexp.MustCompile(`^r-[0-9]{6,}$`),
	}
	if l.rungs == nil {
		l.rungs = Rungs()
	}
	for _, p := range r.journal.Phases {
		if r.shape(p.Name).Serial == 0 && p.Name != PhaseDrain {
			l.others = append(l.others, span{start: p.Start, end: p.End})
		}
	}
	for _, q := range r.requests {
		if q.Trace != "" {
			l.byTrace[q.Trace] = q
		}
		if r.shape(q.Phase).Serial > 0 && !r.bystander(q.Endpoint) && q.sent() {
			l.serial = append(l.serial, q)
		}
	}
	return l
}

// shape is how requests arrive in a phase.
func (r *record) shape(phase string) Shape {
	for _, p := range r.experiment.Load.Phases {
		if p.Name == phase && !p.Shape.IsZero() {
			return p.Shape
		}
	}
	return r.experiment.Load.Shape
}

// owner is the request that caused the call and the rung that says so. Foreign
// is a call that names a request of another run.
func (l ladder) owner(c *LeafCall) (q *Request, by Rung, foreign bool) {
	for _, rung := range l.rungs {
		q, claimed := l.climb(rung, c, foreign)
		if q != nil {
			return q, rung, false
		}
		foreign = foreign || claimed
	}
	return nil, "", foreign
}

// climb asks one rung. Claimed is an id in our form that is not of this run.
func (l ladder) climb(rung Rung, c *LeafCall, foreign bool) (q *Request, claimed bool) {
	switch rung {
	case RungTrace:
		q = l.byTrace[c.Trace]
		return q, q == nil && traceOfBrownout(c.Trace)
	case RungHeader:
		q = l.byID[c.Header]
		return q, q == nil && l.form.MatchString(c.Header)
	case RungMarker:
		// Earlier turns of a conversation bring their markers along: the
		// request that was sent last is the one being answered.
		for _, id := range c.Markers {
			if other := l.byID[id]; other != nil && (q == nil || other.Seq > q.Seq) {
				q = other
			}
		}
		return q, q == nil && len(c.Markers) > 0
	case RungSerial:
		if !foreign {
			q = l.current(c.Arrived)
		}
	}
	return q, false
}

// traceOfBrownout reports whether a run of brownout made the trace id: its
// second half is a sequence number, which no random id of 64 bits is.
func traceOfBrownout(trace string) bool {
	return len(trace) == 32 && strings.HasPrefix(trace[16:], "00000000")
}

// current is the serial request that was open, or had last been, at a time.
func (l ladder) current(at Seconds) *Request {
	var last *Request
	for _, q := range l.serial {
		if q.Sent > at {
			break
		}
		last = q
	}
	if last != nil && slices.ContainsFunc(l.others, func(s span) bool { return at >= s.start && at < s.end }) {
		return nil
	}
	return last
}
