package toxi

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"sync"

	"github.com/brownout-chaos/brownout/faults"
)

// A plan is the set of toxics that is on until changed is closed.
type plan struct {
	active  []*activation
	changed chan struct{}
}

// An activation is a toxic from the time it goes on to the time it goes off.
type activation struct{ Active }

// selects draws whether the toxic touches a connection. The draw depends on
// nothing but seed, name and number.
func (a *activation) selects(seed, number uint64) bool {
	if a.all() {
		return true
	}
	name := fnv.New64a()
	name.Write([]byte(a.Name))
	return rand.New(rand.NewPCG(seed^name.Sum64(), number)).Float64() < a.Share
}

// A control is what all connections of an edge share, also across fresh
// proxies: the plan and the counts. It is safe for concurrent use.
type control struct {
	seed uint64

	mu     sync.Mutex
	plan   *plan
	counts map[string]Count
	opened uint64 // connections so far; each takes its number from it
	open   int    // connections now
}

func newControl(seed uint64) *control {
	return &control{seed: seed, plan: &plan{changed: make(chan struct{})}, counts: map[string]Count{}}
}

// set replaces the plan and wakes the connections. A toxic that stays on keeps
// its activation. cut is how many connections have just been closed for it.
func (c *control) set(active []Active, cut int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := &plan{changed: make(chan struct{})}
	for _, a := range active {
		next.active = append(next.active, c.activate(a, cut))
	}
	close(c.plan.changed)
	c.plan = next
}

func (c *control) activate(a Active, cut int) *activation {
	for _, old := range c.plan.active {
		if old.Active == a {
			return old
		}
	}
	// Refused connections leave no trace here, so what down has cut is all
	// that can be counted of it.
	count := c.counts[a.Name]
	if _, down := a.Toxic.(faults.Down); down {
		count.Matched += cut
		count.Fired += cut
	}
	c.counts[a.Name] = count
	return &activation{a}
}

func (c *control) current() *plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.plan
}

// connect counts a new connection and gives its number, from 1.
func (c *control) connect() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened++
	c.open++
	return c.opened
}

func (c *control) disconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
}

func (c *control) connections() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

// add adds to the count of a name.
func (c *control) add(name string, more Count) {
	c.mu.Lock()
	defer c.mu.Unlock()
	count := c.counts[name]
	count.Matched += more.Matched
	count.Fired += more.Fired
	count.Chunks += more.Chunks
	count.Bytes += more.Bytes
	c.counts[name] = count
}

func (c *control) snapshot() map[string]Count {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.counts)
}
