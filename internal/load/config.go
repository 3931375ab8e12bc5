package load

import (
	"fmt"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// Config is what [Drive] needs.
type Config struct {
	Base    string                              // address of the service, such as http://127.0.0.1:8080
	Service hypotheses.Service                  // its endpoints and the attribution header
	Load    hypotheses.Load                     // what to send, and when
	Seed    uint64                              // of arrivals, mix, trace ids and markers
	Started time.Time                           // zero of all times
	Lookup  func(name string) (string, bool)    // values of ${env.X} and the like in endpoints; nil: none is known
	Record  func(hypotheses.Request)            // called once per request, one call at a time
	Phase   func(name string, at time.Duration) // called before the first request of each phase, and as "drain" after the last phase; nil: never
	Seen    []string                            // paths such as body.degraded, header.x-a or text whose values each request keeps
}

const (
	leastOpen   = 64 // least default cap on open requests
	mostOpen    = hypotheses.MaxInFlight
	openPerWait = 4                // times rate x longest patience
	drainLimit  = 60 * time.Second // for answers after the last phase
)

// check reports a load that cannot be sent.
func (c Config) check(t *timetable) error {
	for i, p := range t.phases {
		if p.For <= 0 && len(p.counted) == 0 {
			return fmt.Errorf("load.phases[%d]: phase %q has no length: give it one, such as 10s", i, p.Name)
		}
		if len(t.mix.names) == 0 && (p.Rate > 0 || p.Users > 0 || len(p.counted) > 0) {
			return fmt.Errorf("load.phases[%d]: phase %q has no endpoint to send to: every endpoint is a bystander", i, p.Name)
		}
	}
	if c.Load.Bystanders > 0 && len(t.bystanders.names) == 0 {
		return fmt.Errorf("load.bystanders is %v, but no endpoint is a bystander", c.Load.Bystanders)
	}
	for _, name := range t.mix.names {
		if _, ok := c.Service.Endpoints[name]; !ok {
			return fmt.Errorf("load.mix names %q, which is no endpoint of the service", name)
		}
	}
	return nil
}

// maxOpen is the cap on open requests: the load's own, or room for four times
// the requests that are open when every one of them takes as long as its user
// waits, and for every request of a burst and every user. It is never above the
// cap on connections, since the client would queue what has none, unseen.
func maxOpen(l hypotheses.Load, s hypotheses.Service, t *timetable) int {
	if l.Connections > 0 {
		capped := l
		capped.Connections = 0
		return min(l.Connections, maxOpen(capped, s, t))
	}
	if l.InFlight > 0 {
		return min(l.InFlight, mostOpen)
	}
	patience, rate, together := time.Duration(0), 0.0, leastOpen
	for _, e := range s.Endpoints {
		patience = max(patience, e.Patience())
	}
	for _, p := range t.phases {
		rate = max(rate, float64(p.Rate))
		together = max(together, p.Burst, p.Users)
	}
	waiting := openPerWait * (rate + float64(l.Bystanders)) * patience.Seconds()
	return min(max(together, int(min(waiting, mostOpen))), mostOpen)
}
