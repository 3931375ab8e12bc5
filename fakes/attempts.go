package fakes

import "sync"

// attempts numbers the calls of each attempt group: same user request, same
// body. It remembers at least the last size groups and at most twice as many.
type attempts struct {
	size int

	mu    sync.Mutex
	young map[uint64]int
	old   map[uint64]int
}

func newAttempts(size int) *attempts {
	return &attempts{size: max(size, 1), young: map[uint64]int{}}
}

// next is the number of this call in its group, from 1.
func (a *attempts) next(c correlation) int {
	group := digest(0, c.key(), c.body)
	a.mu.Lock()
	defer a.mu.Unlock()
	n, ok := a.young[group]
	if !ok {
		n = a.old[group]
	}
	if !ok && len(a.young) >= a.size {
		a.old, a.young = a.young, map[uint64]int{}
	}
	a.young[group] = n + 1
	return n + 1
}

func (a *attempts) reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.young, a.old = map[uint64]int{}, nil
}
