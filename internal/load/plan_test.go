package load_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/load"
	"pgregory.net/rapid"
)

// sample is a service with two endpoints and two bystanders.
func sample() hypotheses.Service {
	return hypotheses.Service{Endpoints: map[string]hypotheses.Endpoint{
		"ask":    {Request: "POST /ask"},
		"chat":   {Request: "POST /chat"},
		"livez":  {Request: "GET /livez", Bystander: true},
		"search": {Request: "GET /search", Bystander: true},
	}}
}

func timed(name string, length time.Duration, shape hypotheses.Shape) hypotheses.Phase {
	return hypotheses.Phase{Name: name, For: length, Shape: shape}
}

// A plan counts from 1 without a gap, in order of time, within its phases,
// whatever the load; and the seed decides it.
func TestPlanIsOrderedNumberedAndSeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := hypotheses.Load{
			Shape:      hypotheses.Shape{Rate: hypotheses.Rate(rapid.Float64Range(0.5, 200).Draw(t, "rate"))},
			Arrivals:   rapid.SampledFrom([]hypotheses.Arrivals{"", hypotheses.Poisson, hypotheses.Constant}).Draw(t, "arrivals"),
			Bystanders: hypotheses.Rate(rapid.Float64Range(0, 50).Draw(t, "bystanders")),
			Mix:        map[string]float64{"ask": rapid.Float64Range(0.1, 9).Draw(t, "ask"), "chat": 1},
		}
		for _, name := range []string{"baseline", "fault", "recovery"} {
			shape := rapid.SampledFrom([]hypotheses.Shape{{}, {Burst: 20}, {Serial: 7}, {Rate: 30}}).Draw(t, name)
			l.Phases = append(l.Phases, timed(name, time.Duration(rapid.IntRange(1, 3000).Draw(t, "ms"))*time.Millisecond, shape))
		}
		seed := rapid.Uint64().Draw(t, "seed")
		requests, spans := load.Plan(l, sample(), seed)
		again, _ := load.Plan(l, sample(), seed)
		if !reflect.DeepEqual(requests, again) {
			t.Fatal("the same seed gave another plan")
		}
		in := map[string]hypotheses.PhaseSpan{}
		for _, s := range spans {
			in[s.Name] = s
		}
		before := hypotheses.Seconds(0)
		for i, r := range requests {
			if r.Seq != i+1 || r.ID != hypotheses.RequestID(i+1) || r.Trace != hypotheses.TraceID(seed, i+1) {
				t.Fatalf("request %d is %+v", i+1, r)
			}
			if r.Planned < before || r.Planned < in[r.Phase].Start || r.Planned >= in[r.Phase].End {
				t.Fatalf("%s is planned for %v, after %v, in %+v", r.ID, r.Planned.Duration(), before.Duration(), in[r.Phase])
			}
			before = r.Planned
		}
	})
}

func TestPlanShapes(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		name string
		load hypotheses.Load
		want map[string]int // requests per phase
		ends []time.Duration
	}{
		{
			name: "constant",
			load: hypotheses.Load{Shape: hypotheses.Shape{Rate: 30}, Arrivals: hypotheses.Constant, Phases: []hypotheses.Phase{timed("baseline", 10*second, hypotheses.Shape{}), timed("fault", second, hypotheses.Shape{Rate: 5})}},
			want: map[string]int{"baseline": 300, "fault": 5},
			ends: []time.Duration{10 * second, 11 * second},
		},
		{
			name: "constant with bystanders",
			load: hypotheses.Load{Shape: hypotheses.Shape{Rate: 10}, Bystanders: 5, Arrivals: hypotheses.Constant, Phases: []hypotheses.Phase{timed("baseline", 2*second, hypotheses.Shape{})}},
			want: map[string]int{"baseline": 30},
			ends: []time.Duration{2 * second},
		},
		{
			name: "serial ends with its last answer, guessed",
			load: hypotheses.Load{Shape: hypotheses.Shape{Serial: 30}, Bystanders: 5, Phases: []hypotheses.Phase{timed("baseline", 0, hypotheses.Shape{}), timed("fault", 4*second, hypotheses.Shape{})}},
			want: map[string]int{"baseline": 30, "fault": 30},
			ends: []time.Duration{30 * second, 34 * second},
		},
		{
			name: "burst",
			load: hypotheses.Load{Shape: hypotheses.Shape{Burst: 50}, Phases: []hypotheses.Phase{timed("baseline", 0, hypotheses.Shape{}), timed("fault", 3*second, hypotheses.Shape{})}},
			want: map[string]int{"baseline": 50, "fault": 50},
			ends: []time.Duration{second, 4 * second},
		},
		{
			name: "of each user the first request is known",
			load: hypotheses.Load{Shape: hypotheses.Shape{Users: 20}, Phases: []hypotheses.Phase{timed("baseline", 2*second, hypotheses.Shape{})}},
			want: map[string]int{"baseline": 20},
			ends: []time.Duration{2 * second},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			requests, spans := load.Plan(c.load, sample(), 1)
			got := map[string]int{}
			for _, r := range requests {
				got[r.Phase]++
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("requests per phase: got %v, want %v", got, c.want)
			}
			for i, s := range spans {
				if s.End.Duration() != c.ends[i] {
					t.Errorf("phase %s ends at %v, want %v", s.Name, s.End.Duration(), c.ends[i])
				}
			}
		})
	}
}

func TestConstantArrivalsAreEvenAndDoNotDrift(t *testing.T) {
	l := hypotheses.Load{Shape: hypotheses.Shape{Rate: 3}, Arrivals: hypotheses.Constant, Phases: []hypotheses.Phase{timed("fault", time.Hour, hypotheses.Shape{})}}
	requests, _ := load.Plan(l, sample(), 1)
	if len(requests) != 3*3600 {
		t.Fatalf("%d requests, want %d", len(requests), 3*3600)
	}
	for i, r := range requests {
		want := time.Duration(i) * time.Second / 3
		if off := r.Planned.Duration() - want; off.Abs() > time.Microsecond {
			t.Fatalf("request %d is planned for %v, want %v", i, r.Planned.Duration(), want)
		}
	}
}

// 20,000 exponential gaps have a mean within 5 standard errors of the rate's,
// and a coefficient of variation near 1; constant gaps have 0.
func TestPoissonArrivalsAreIndependent(t *testing.T) {
	l := hypotheses.Load{Shape: hypotheses.Shape{Rate: 100}, Phases: []hypotheses.Phase{timed("fault", 200*time.Second, hypotheses.Shape{})}}
	requests, _ := load.Plan(l, sample(), 7)
	n := float64(len(requests))
	mean, square, before := 0.0, 0.0, 0.0
	for _, r := range requests {
		gap := r.Planned.Float() - before
		mean, square, before = mean+gap/n, square+gap*gap/n, r.Planned.Float()
	}
	if math.Abs(mean-0.01) > 5*0.01/math.Sqrt(n) {
		t.Errorf("mean gap %.6f s, want 0.01 s", mean)
	}
	if cv := math.Sqrt(square-mean*mean) / mean; math.Abs(cv-1) > 0.05 {
		t.Errorf("coefficient of variation %.3f, want 1", cv)
	}
}

func TestMixIsDrawnByWeight(t *testing.T) {
	for _, c := range []struct {
		name string
		mix  map[string]float64
		want map[string]float64 // shares
	}{
		{"weights", map[string]float64{"ask": 9, "chat": 1}, map[string]float64{"ask": 0.9, "chat": 0.1}},
		{"none: every endpoint that is no bystander", nil, map[string]float64{"ask": 0.5, "chat": 0.5}},
		{"a bystander may be named", map[string]float64{"ask": 1, "search": 3}, map[string]float64{"ask": 0.25, "search": 0.75}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := hypotheses.Load{Shape: hypotheses.Shape{Rate: 1000}, Arrivals: hypotheses.Constant, Mix: c.mix, Phases: []hypotheses.Phase{timed("fault", 20*time.Second, hypotheses.Shape{})}}
			requests, _ := load.Plan(l, sample(), 3)
			got := map[string]float64{}
			for _, r := range requests {
				got[r.Endpoint] += 1 / float64(len(requests))
			}
			for name, share := range c.want {
				if math.Abs(got[name]-share) > 0.02 {
					t.Errorf("share of %s is %.3f, want %.3f", name, got[name], share)
				}
			}
			if len(got) != len(c.want) {
				t.Errorf("endpoints %v, want %v", got, c.want)
			}
		})
	}
}

func TestBystandersHaveTheirOwnStream(t *testing.T) {
	shape := hypotheses.Shape{Rate: 20}
	phases := []hypotheses.Phase{timed("fault", 100*time.Second, hypotheses.Shape{})}
	alone, _ := load.Plan(hypotheses.Load{Shape: shape, Phases: phases}, sample(), 5)
	both, _ := load.Plan(hypotheses.Load{Shape: shape, Phases: phases, Bystanders: 10}, sample(), 5)
	users, bystanders := []hypotheses.Seconds{}, map[string]int{}
	for _, r := range both {
		if sample().Endpoints[r.Endpoint].Bystander {
			bystanders[r.Endpoint]++
		} else {
			users = append(users, r.Planned)
		}
	}
	if n := bystanders["search"] + bystanders["livez"]; n < 800 || n > 1200 || len(bystanders) != 2 {
		t.Errorf("bystanders in 100 s at 10/s: %v", bystanders)
	}
	if len(users) != len(alone) {
		t.Fatalf("%d requests beside bystanders, %d without", len(users), len(alone))
	}
	for i := range users {
		if users[i] != alone[i].Planned {
			t.Fatalf("bystanders moved request %d from %v to %v", i, alone[i].Planned.Duration(), users[i].Duration())
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	l := hypotheses.Load{Shape: hypotheses.Shape{Rate: 50}, Phases: []hypotheses.Phase{timed("fault", 10*time.Second, hypotheses.Shape{})}}
	one, _ := load.Plan(l, sample(), 1)
	two, _ := load.Plan(l, sample(), 2)
	same := 0
	for i := range min(len(one), len(two)) {
		if one[i].Planned == two[i].Planned {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d planned starts are the same under seeds 1 and 2", same)
	}
}
