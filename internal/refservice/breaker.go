package refservice

import (
	"time"

	"github.com/sony/gobreaker/v2"
)

const (
	// breakerTrips failures in a row open a breaker. A provider that fails 35 %
	// of its calls at random gets there once in 56,000 calls, a dead one at once.
	breakerTrips = 10
	// breakerOpen is short against the deadlines of users: the probes, one at a
	// time, cost two calls a second.
	breakerOpen = 500 * time.Millisecond
)

// newBreaker counts attempts, not answers. Timeouts are failures. A user who
// leaves, or a request that no provider would take, is neither success nor
// failure.
func newBreaker(name string) *gobreaker.CircuitBreaker[struct{}] {
	return gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name:        name,
		MaxRequests: 1,
		Timeout:     breakerOpen,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakerTrips },
		IsExcluded:  func(err error) bool { return err != nil && !failureOf(err).blames },
	})
}
