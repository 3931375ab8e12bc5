package run

import (
	"fmt"
	"sync"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// guardAnswers is the least number of answers a guard judges.
const guardAnswers = 10

// A tally counts answers as they come, for progress and guards. It is safe for
// concurrent use.
type tally struct {
	mu      sync.Mutex
	phase   string
	answers int
	failed  int
	guards  []*guard
}

// A guard is a condition of abort_if with the answers of its last For.
type guard struct {
	service hypotheses.Service
	says    string
	of      string
	bad     func(hypotheses.Request) bool
	trips   func(share float64) bool
	length  time.Duration
	answers []guardAnswer
	full    bool // answers have come for the whole length
}

type guardAnswer struct {
	at  time.Time
	bad bool
}

func newTally(e hypotheses.Experiment) *tally {
	t := &tally{}
	for _, g := range e.AbortIf {
		t.guards = append(t.guards, newGuard(e.Service, g))
	}
	return t
}

func newGuard(service hypotheses.Service, g hypotheses.Guard) *guard {
	kind, spec := g.Kind()
	watched := &guard{service: service, says: g.Says(), of: spec.Of, length: spec.For}
	switch kind {
	case "errors":
		watched.bad = func(r hypotheses.Request) bool { return r.Outcome == hypotheses.Failed }
	case "fallbacks":
		watched.bad = func(r hypotheses.Request) bool { return r.Outcome == hypotheses.Degraded }
	default: // goodput
		watched.bad = func(r hypotheses.Request) bool { return r.Outcome == hypotheses.OK }
	}
	if spec.Above != nil {
		watched.trips = func(share float64) bool { return share > *spec.Above }
	} else {
		watched.trips = func(share float64) bool { return share < *spec.Below }
	}
	return watched
}

func (t *tally) add(r hypotheses.Request, now time.Time) {
	if r.Outcome == hypotheses.NotSent || r.Outcome == hypotheses.Dropped {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answers++
	if r.Outcome == hypotheses.Failed {
		t.failed++
	}
	for _, g := range t.guards {
		if g.service.Covers(g.of, r.Endpoint) {
			g.answers = append(g.answers, guardAnswer{at: now, bad: g.bad(r)})
		}
	}
}

// tripped names the first guard whose condition has held for its whole time.
func (t *tally) tripped(now time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, g := range t.guards {
		if share, trips := g.look(now); trips {
			return fmt.Errorf("abort_if: %s: it was %.0f%%", g.says, 100*share)
		}
	}
	return nil
}

// look slides the window of the guard to now and says whether it trips: only
// once answers have come for the whole length of the window.
func (g *guard) look(now time.Time) (share float64, trips bool) {
	for len(g.answers) > 0 && now.Sub(g.answers[0].at) > g.length {
		g.answers = g.answers[1:]
		g.full = true
	}
	if !g.full || len(g.answers) < guardAnswers {
		return 0, false
	}
	bad := 0
	for _, a := range g.answers {
		if a.bad {
			bad++
		}
	}
	share = float64(bad) / float64(len(g.answers))
	return share, g.trips(share)
}

func (t *tally) progress(phase string) Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	if phase != "" {
		t.phase = phase
	}
	return Progress{Phase: t.phase, Requests: t.answers, Failed: t.failed}
}
