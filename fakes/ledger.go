package fakes

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// Counters are exact since the start or the last [Provider.Reset], whatever
// the ledger had to evict.
type Counters struct {
	Calls    int64            `json:"calls"`     // that arrived
	InFlight int64            `json:"in_flight"` // of them not yet ended
	ByAPI    map[string]int64 `json:"by_api"`    // ended calls
	ByFault  map[string]int64 `json:"by_fault"`  // ended calls on which a rule fired, by its title
	Bytes    int64            `json:"bytes"`     // of the bodies of ended calls
	Evicted  int64            `json:"evicted"`   // ended calls for which the ledger had no more room
}

// A ledger keeps the last ended calls and counts all.
type ledger struct {
	size int

	mu     sync.Mutex
	idle   sync.Cond // no call is in flight
	closed bool
	lastID int64
	count  Counters
	calls  []Call // a ring once it is full
	next   int    // place of the oldest call in a full ring
}

func newLedger(size int) *ledger {
	l := &ledger{size: max(size, 1)}
	l.idle.L = &l.mu
	l.reset()
	return l
}

// enter counts a call that arrives and numbers it. It is false once the ledger
// is closed.
func (l *ledger) enter() (id int64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, false
	}
	l.lastID++
	l.count.Calls++
	l.count.InFlight++
	return l.lastID, true
}

// leave records a call that ended.
func (l *ledger) leave(c Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count.InFlight--
	l.count.ByAPI[c.API]++
	if c.Fault != "" {
		l.count.ByFault[c.Fault]++
	}
	l.count.Bytes += c.Achieved.Bytes
	if len(l.calls) < l.size {
		l.calls = append(l.calls, c)
	} else {
		l.calls[l.next] = c
		l.next = (l.next + 1) % l.size
		l.count.Evicted++
	}
	if l.count.InFlight == 0 {
		l.idle.Broadcast()
	}
}

// close lets no further call in.
func (l *ledger) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

func (l *ledger) closing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// wait returns when no call is in flight.
func (l *ledger) wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.count.InFlight > 0 {
		l.idle.Wait()
	}
}

// reset forgets ended calls and counts those in flight only.
func (l *ledger) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls, l.next = nil, 0
	l.count = Counters{
		Calls: l.count.InFlight, InFlight: l.count.InFlight,
		ByAPI: map[string]int64{}, ByFault: map[string]int64{},
	}
}

func (l *ledger) counters() Counters {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.count
	c.ByAPI, c.ByFault = maps.Clone(c.ByAPI), maps.Clone(c.ByFault)
	return c
}

func (l *ledger) list() []Call {
	l.mu.Lock()
	calls := slices.Clone(l.calls)
	l.mu.Unlock()
	slices.SortFunc(calls, func(a, b Call) int { return cmp.Compare(a.ID, b.ID) })
	return calls
}
