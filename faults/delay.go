package faults

import (
	"fmt"
	"time"
)

// A Delay is a fixed time or a distribution given by quantiles. The zero
// Delay is none.
type Delay struct {
	Fixed time.Duration
	Quantiles
}

// Quantiles describe a distribution of waits. Missing ones are taken from the
// next lower one given; between two the wait is interpolated linearly, below
// p50 from zero, above the highest it is the highest.
type Quantiles struct {
	P50 time.Duration `json:"p50,omitempty"`
	P90 time.Duration `json:"p90,omitempty"`
	P95 time.Duration `json:"p95,omitempty"`
	P99 time.Duration `json:"p99,omitempty"`
}

// IsZero reports whether no quantile is given.
func (q Quantiles) IsZero() bool { return q == Quantiles{} }

// Check reports negative or falling quantiles.
func (q Quantiles) Check() error {
	last := time.Duration(0)
	for _, p := range q.points() {
		if p.wait < 0 {
			return fmt.Errorf("p%g is negative: a wait of 0s or more is expected", p.at*100)
		}
		if p.wait < last {
			return fmt.Errorf("p%g is %v, below a lower quantile: quantiles must not fall", p.at*100, p.wait)
		}
		last = p.wait
	}
	return nil
}

type quantilePoint struct {
	at   float64
	wait time.Duration
}

// points lists the given quantiles in rising order.
func (q Quantiles) points() []quantilePoint {
	all := []quantilePoint{{0.50, q.P50}, {0.90, q.P90}, {0.95, q.P95}, {0.99, q.P99}}
	given := all[:0]
	for _, p := range all {
		if p.wait != 0 {
			given = append(given, p)
		}
	}
	return given
}

// At is the wait at u, a uniform draw from [0, 1).
func (q Quantiles) At(u float64) time.Duration {
	low := quantilePoint{}
	for _, p := range q.points() {
		if u < p.at {
			part := (u - low.at) / (p.at - low.at)
			return low.wait + time.Duration(part*float64(p.wait-low.wait))
		}
		low = p
	}
	return low.wait
}

// IsZero reports whether there is no wait at all.
func (d Delay) IsZero() bool { return d == Delay{} }

// At is the wait at u, a uniform draw from [0, 1).
func (d Delay) At(u float64) time.Duration {
	if d.Quantiles.IsZero() {
		return d.Fixed
	}
	return d.Quantiles.At(u)
}
