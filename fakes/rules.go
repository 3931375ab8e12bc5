package fakes

import (
	"fmt"
	"slices"
	"sync"

	"github.com/brownout-chaos/brownout/faults"
)

// rules are the active rules in the order of their injection.
type rules struct {
	seed uint64

	mu     sync.RWMutex
	active []*rule
}

// A rule is a fault rule with its counts.
type rule struct {
	faults.Rule
	title     string
	script    faults.Script
	condition condition
	tally
}

func newRule(r faults.Rule) (*rule, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	fault, ok := r.Fault.(faults.Scripted)
	if !ok {
		return nil, fmt.Errorf("%s is a fault of the network: a provider cannot play it", r.Fault.Kind())
	}
	body, err := newCondition(r.Match.Body)
	if err != nil {
		return nil, fmt.Errorf("match.body: %w", err)
	}
	return &rule{Rule: r, title: r.Title(), script: fault.Script(), condition: body}, nil
}

// decide asks the rules in their order and gives the first that fires; nil:
// the call is healthy. Once a rule was removed, no call counts for it.
func (rs *rules) decide(f *facts) *rule {
	rs.mu.RLock()
	defer rs.mu.RUnlock()
	for _, r := range rs.active {
		if !matches(r.Match, f) {
			continue
		}
		meets, err := r.condition.meets(f)
		if err != nil {
			r.undecided.Add(1)
		}
		if !meets {
			continue
		}
		if r.triggers(r.matched.Add(1), f, rs.seed) {
			r.fired.Add(1)
			return r
		}
	}
	return nil
}

func (rs *rules) add(added []*rule) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.active = append(slices.Clone(rs.active), added...)
}

func (rs *rules) remove(removed []*rule) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.active = slices.DeleteFunc(slices.Clone(rs.active), func(r *rule) bool { return slices.Contains(removed, r) })
}

// triggers reports whether the rule fires on its nth matching call.
func (r *rule) triggers(n int64, f *facts, seed uint64) bool {
	switch t := r.Trigger; {
	case t.Share != nil:
		return r.draw(f, seed).at("share", 0) < *t.Share
	case t.First != nil:
		return n <= int64(*t.First)
	case t.Calls != nil:
		return slices.Contains(t.Calls, int(n))
	case t.Every != nil:
		return n%int64(*t.Every) == 0
	case t.Attempts != nil:
		return slices.Contains(t.Attempts, f.attempt)
	}
	return true
}

func (r *rule) draw(f *facts, seed uint64) draw {
	return draw{seed: seed, rule: r.title, key: f.key, attempt: f.attempt}
}
