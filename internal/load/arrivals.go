package load

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// never is the planned start of an arrival beyond all times, in nanoseconds.
const never = 1 << 62

// arrivals is an endless stream of planned starts since the start of a phase.
// Each is computed from the rate and not from a rounded gap, so that nothing
// drifts.
type arrivals struct {
	rate   float64    // per second
	random *rand.Rand // nil: constant gaps
	count  int
	units  float64 // mean gaps so far
}

// newArrivals is stream number n of the seed.
func newArrivals(kind hypotheses.Arrivals, rate hypotheses.Rate, seed, n uint64) *arrivals {
	a := &arrivals{rate: float64(rate)}
	if kind != hypotheses.Constant {
		a.random = rand.New(rand.NewPCG(seed, n))
	}
	return a
}

// next is the next planned start. Constant arrivals begin with the phase;
// Poisson arrivals begin after a gap like any other.
func (a *arrivals) next() time.Duration {
	if a.random != nil {
		a.units -= math.Log(1 - a.random.Float64())
	} else {
		a.units = float64(a.count)
	}
	a.count++
	return time.Duration(min(a.units/a.rate*float64(time.Second), never))
}

// until lists the planned starts before the end.
func (a *arrivals) until(end time.Duration) []time.Duration {
	list := []time.Duration{}
	if a.rate <= 0 {
		return list
	}
	for at := a.next(); at < end; at = a.next() {
		list = append(list, at)
	}
	return list
}
