package refservice_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/refservice"
)

const (
	trips   = 10                     // failures in a row that open the breaker
	openFor = 500 * time.Millisecond // until the next probe
)

// TestBreakerOpens asks one question at a time, so that no call is in flight
// when the breaker opens: the calls of an outage are the failures that trip it
// and one probe per time that it is open.
func TestBreakerOpens(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]faults.Fault{
		"errors":     faults.Unavailable{},
		"slow calls": faults.Hang{},
		"garbage":    faults.MalformedJSON{},
		"stalls":     faults.Stall{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := resilient(t, refservice.Config{FirstToken: 150 * time.Millisecond, Idle: 150 * time.Millisecond})
			outage := p.primary.Inject(faults.On(fault))
			for range trips {
				ask(t, p.Server)
			}
			made := calls(t, p.primary)
			if len(made) < trips {
				t.Fatalf("got %d calls, want the %d that open the breaker", len(made), trips)
			}
			probes := int(time.Since(made[trips-1].EndedAt)/openFor) + 1
			if n := len(made); n > trips+probes-1 {
				t.Errorf("got %d calls, want %d and %d probes at most", n, trips, probes-1)
			}
			outage.Lift()
			eventually(t, "the primary answers again", func() bool { return ask(t, p.Server).Provider == "primary" })
		})
	}
}

// TestBreakerProbesAlone sends crowds at an open breaker: the crowd that finds
// it half-open gets one call through, however slow the answer.
func TestBreakerProbesAlone(t *testing.T) {
	t.Parallel()
	p := resilient(t, refservice.Config{Attempts: 1}, faults.On(faults.Unavailable{}).First(trips), faults.On(faults.Hang{}))
	for range trips {
		ask(t, p.Server)
	}
	if n := p.primary.Counters().Calls; n != trips {
		t.Fatalf("got %d calls, want %d", n, trips)
	}
	eventually(t, "a probe", func() bool {
		crowd(t, p.Server, 20)
		return p.primary.Counters().Calls > trips
	})
	if n := p.primary.Counters().Calls - trips; n != 1 {
		t.Errorf("got %d probes at once, want 1", n)
	}
}

// TestBreakerStaysClosed sheds a third of the calls at random: every request
// still goes to the primary first, and the fallback helps out.
func TestBreakerStaysClosed(t *testing.T) {
	t.Parallel()
	p := resilient(t, refservice.Config{}, faults.On(faults.RateLimit{}).Share(0.33))
	const rounds, users = 15, 20
	degraded := 0
	for range rounds {
		for _, r := range crowd(t, p.Server, users) {
			if r.Degraded {
				degraded++
			}
		}
	}
	if n := len(calls(t, p.primary)); n < rounds*users {
		t.Errorf("got %d calls to the primary for %d requests: the breaker opened", n, rounds*users)
	}
	if degraded == 0 || degraded > rounds*users*4/10 {
		t.Errorf("%d of %d answers are degraded, want some and at most 40 %%", degraded, rounds*users)
	}
}

// TestRetryBudget makes each request fail once: retries come out of the
// bucket, and then a fifth of the requests at most.
func TestRetryBudget(t *testing.T) {
	t.Parallel()
	p := resilient(t, refservice.Config{})
	p.primary.Inject(faults.On(faults.Unavailable{}).Attempts(1))
	const requests, burst, ratio = 50, 20, 0.2
	for i := range requests {
		got := send(t, p.Server, "/ask", marked, "X-Request-ID", fmt.Sprintf("r-%06d", i))
		if got.status != 200 {
			t.Fatalf("got %+v", got)
		}
	}
	retries := len(calls(t, p.primary)) - requests
	if most := burst + int(ratio*requests); retries > most || retries < burst {
		t.Errorf("got %d retries for %d requests, want %d to %d", retries, requests, burst, most)
	}
}

// TestBulkhead sends more users at a hanging primary than it may have: the
// others fall back at once, without a call.
func TestBulkhead(t *testing.T) {
	t.Parallel()
	const users, room = 90, 64
	p := resilient(t, refservice.Config{Attempts: 1, FirstToken: 2 * time.Second, Deadline: patience}, faults.On(faults.Hang{}))
	for _, r := range crowd(t, p.Server, users) {
		if r.status != 200 || !r.Degraded {
			t.Errorf("got %+v, want a degraded answer", r)
		}
	}
	made := calls(t, p.primary)
	if len(made) == 0 {
		t.Fatal("no call reached the primary")
	}
	first := made[0].EndedAt
	for _, call := range made {
		if call.EndedAt.Before(first) {
			first = call.EndedAt
		}
	}
	together := 0
	for _, call := range made {
		if call.Arrived.Before(first) {
			together++
		}
	}
	if together > room || together < trips {
		t.Errorf("%d calls of %d users were in flight, want %d", together, users, room)
	}
}

// crowd asks n questions at once.
func crowd(t *testing.T, s *refservice.Server, n int) []reply {
	t.Helper()
	replies := make([]reply, n)
	errs := make([]error, n)
	var users sync.WaitGroup
	for i := range n {
		users.Go(func() {
			replies[i], errs[i] = try(t.Context(), s, "/ask", marked, "X-Request-ID", fmt.Sprintf("r-%06d", i))
		})
	}
	users.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return replies
}
