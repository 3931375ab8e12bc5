package refservice

import "time"

// A Breaker is what the breaker of a policy promises.
type Breaker struct {
	Trips   int           // failures in a row that open it
	OpenFor time.Duration // without a call, then probes
	Probes  int           // at once while half-open
}

// ResilientBreaker is the breaker of the policy resilient, one per provider.
func ResilientBreaker() Breaker {
	return Breaker{Trips: breakerTrips, OpenFor: breakerOpen, Probes: 1}
}
