package suites_test

import (
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/refservice"
	"github.com/brownout-chaos/brownout/suites"
)

// TestOutageLeafCalls holds the resilient service to its breaker: in a total
// outage of length T the calls that reach the primary obey
//
//	N <= F + I + P*ceil((T - t_trip)/c)
//
// with F failures to trip, I calls in flight at the trip, P probes per
// half-open and the cooldown c. Recovery is measured by its hypothesis.
func TestOutageLeafCalls(t *testing.T) {
	if testing.Short() || serviceName() != "" {
		t.Skip("runs a whole experiment on the sample service; not in short mode, nor where another one was named")
	}
	const outage = 6 * time.Second
	e := hypotheses.Experiment{
		Title:   "a total outage is noticed",
		Service: parse(t, "examples/outage/resilient.yaml"),
		Load: hypotheses.Load{
			Shape: hypotheses.Shape{Rate: 50},
			Mix:   map[string]float64{"ask": 1},
			Phases: []hypotheses.Phase{
				{Name: "baseline", For: 6 * time.Second}, {Name: "fault", For: outage}, {Name: "recovery", For: 7 * time.Second},
			},
		},
		Faults: []faults.Rule{faults.On(faults.Unavailable{}).During("fault").Toward("primary")},
		Hypotheses: hypotheses.Claims(
			hypotheses.Recovery("ask").Within(5*time.Second),
			hypotheses.Latency("ask").Quantile(0.99).Below(3*time.Second),
		),
	}
	j, err := suites.Runner{Brownout: brownout(t)}.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	verdict := hypotheses.Judge(j)
	for _, f := range verdict.Findings {
		t.Logf("%s: %s (%s)", f.Says, f.Status, f.Detail)
		if f.Status != hypotheses.Held {
			t.Errorf("%s: got %s, want held", f.Says, f.Status)
		}
	}
	breaker := refservice.ResilientBreaker()
	calls := primaryCalls(j)
	trip := breaker.Trips
	if len(calls) < trip {
		t.Fatalf("%d calls reached the primary during the outage, fewer than the %d that trip the breaker", len(calls), trip)
	}
	tripAt := calls[trip-1].End
	inFlight := 0
	for _, c := range calls[trip:] {
		if c.Arrived <= tripAt+hypotheses.Seconds(50*time.Millisecond) {
			inFlight++
		}
	}
	left := outage - (tripAt - j.Windows[0].Start).Duration()
	probes := breaker.Probes * int(left/breaker.OpenFor+1)
	t.Logf("%d calls in the outage: F %d, in flight at the trip %d, probes at most %d", len(calls), trip, inFlight, probes)
	if got, most := len(calls), trip+inFlight+probes; got > most {
		t.Errorf("%d calls reached the primary, want at most F + in flight + probes = %d + %d + %d", got, trip, inFlight, probes)
	}
}

// primaryCalls are the leaf calls that arrived at the primary while the fault
// was on.
func primaryCalls(j hypotheses.Journal) []hypotheses.LeafCall {
	list := []hypotheses.LeafCall{}
	for _, c := range j.Calls {
		if w := j.Windows[0]; c.Provider == "primary" && c.Arrived >= w.Start && c.Arrived < w.End {
			list = append(list, c)
		}
	}
	return list
}
