package hypotheses

// What recovered means: a window of so long and so many requests with so much
// of the baseline's goodput and so few more fallbacks than the baseline.
const (
	recoveryTime     = Seconds(5e9)
	recoveryRequests = 50
	recoveryGoodput  = 0.95
	recoveryMargin   = 0.01
)

// wellness counts how requests ended.
type wellness struct{ n, good, fellBack int }

func (r *record) wellness(requests []*Request) wellness {
	w := wellness{}
	for _, q := range requests {
		w.add(r, q, 1)
	}
	return w
}

func (w *wellness) add(r *record, q *Request, times int) {
	w.n += times
	if q.Outcome == OK {
		w.good += times
	}
	if r.fellBack(q) {
		w.fellBack += times
	}
}

// as reports whether it is as well as the baseline.
func (w wellness) as(base wellness) bool {
	n, baseN := float64(w.n), float64(base.n)
	return float64(w.good)/n >= recoveryGoodput*float64(base.good)/baseN &&
		float64(w.fellBack)/n <= float64(base.fellBack)/baseN+recoveryMargin
}

// A comeback is how a service came back after the last fault. Times are in
// seconds after its end.
type comeback struct {
	found   bool
	at      float64    // start of the first window that is well
	watched float64    // start of the last whole window; below 0: there was none
	unwell  []*Request // of the last window that was not well
}

// comeback slides the window over the requests after the last fault.
func (e *evidence) comeback(after []*Request, base wellness) comeback {
	c, end, cleared := comeback{watched: -1}, 0, e.lastFault()
	inside := wellness{}
	for first := range after {
		start := after[first].Planned
		if first == 0 {
			start = cleared
		} else {
			inside.add(e.record, after[first-1], -1)
		}
		for end < len(after) && (after[end].Planned < start+recoveryTime || end-first < recoveryRequests) {
			inside.add(e.record, after[end], 1)
			end++
		}
		if inside.n < recoveryRequests || start+recoveryTime > e.lastPlanned() {
			return c
		}
		c.watched = (start - cleared).Float()
		if inside.as(base) {
			c.found, c.at = true, c.watched
			return c
		}
		_, c.unwell = e.split(after[first:end], func(q *Request) bool { return q.Outcome == OK && !e.fellBack(q) })
	}
	return c
}

// afterFault are the samples that were planned after the end of the last
// fault.
func (e *evidence) afterFault() []*Request {
	return e.samplesOf(e.requestsIn([]span{{start: e.lastFault(), end: e.lastPlanned()}}))
}

// recoveryWindow is how long a window is at the rate after the fault, in
// seconds.
func (e *evidence) recoveryWindow(after int) float64 {
	watched := (e.lastPlanned() - e.lastFault()).Float()
	return max(recoveryTime.Float(), recoveryRequests*watched/float64(max(1, after)))
}
