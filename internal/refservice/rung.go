package refservice

import (
	"cmp"
	"context"
	"math/rand/v2"
	"time"

	"github.com/sony/gobreaker/v2"
	"golang.org/x/sync/semaphore"
)

const (
	backoffBase = 100 * time.Millisecond
	backoffCap  = 400 * time.Millisecond
)

// A rung is one provider with everything that guards the calls to it.
type rung struct {
	name       string
	client     sdk
	attempts   int
	firstToken time.Duration
	idle       time.Duration
	breaker    *gobreaker.CircuitBreaker[struct{}]
	bulkhead   *semaphore.Weighted
	budget     *budget
}

func newRung(cfg Config, name, baseURL string, attempts int) *rung {
	return &rung{
		name:       name,
		client:     newSDK(cfg, baseURL, newTransport(dialTimeout, bulkheadCap)),
		attempts:   attempts,
		firstToken: cmp.Or(cfg.FirstToken, 500*time.Millisecond),
		idle:       cmp.Or(cfg.Idle, 300*time.Millisecond),
		breaker:    newBreaker(name),
		bulkhead:   semaphore.NewWeighted(bulkheadCap),
		budget:     newBudget(),
	}
}

// answer makes attempts until one succeeds, the next one would not help, or
// there is no time for it before end.
func (g *rung) answer(ctx context.Context, q question, out sink, end time.Time) error {
	ctx, cancel := context.WithDeadlineCause(ctx, end, errDeadline)
	defer cancel()
	g.budget.first()
	for attempt := 1; ; attempt++ {
		err := g.attempt(ctx, q, out)
		if err == nil {
			return nil
		}
		if out.final() {
			return err
		}
		wait, ok := g.again(err, attempt, end)
		if !ok || pause(ctx, wait) != nil || out.restart(g.name) != nil {
			return err
		}
	}
}

// again says whether one more attempt is worth it, and after which wait.
func (g *rung) again(err error, attempt int, end time.Time) (time.Duration, bool) {
	f := failureOf(err)
	if attempt >= g.attempts || attempt > f.retries || g.breaker.State() == gobreaker.StateOpen {
		return 0, false
	}
	wait := f.wait
	if wait == 0 {
		wait = rand.N(min(backoffBase<<min(attempt-1, 8), backoffCap))
	}
	if time.Until(end) < wait+g.firstToken {
		return 0, false
	}
	return wait, g.budget.retry()
}

// attempt makes one call, if the guards allow it. The bulkhead comes first: a
// call that it rejects says nothing about the provider.
func (g *rung) attempt(ctx context.Context, q question, out sink) error {
	if !g.bulkhead.TryAcquire(1) {
		return errFull
	}
	defer g.bulkhead.Release(1)
	_, err := g.breaker.Execute(func() (struct{}, error) { return struct{}{}, g.call(ctx, q, out) })
	return err
}
