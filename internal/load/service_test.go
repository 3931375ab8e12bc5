package load_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/load"
)

// A drive is a load under test and what it recorded.
type drive struct {
	load.Config
	mu       sync.Mutex
	requests []hypotheses.Request
	phases   []string
}

// newDrive drives the handler with the phases; the endpoint ask is POST /ask.
func newDrive(t *testing.T, handler http.HandlerFunc, phases ...hypotheses.Phase) *drive {
	t.Helper()
	service := httptest.NewServer(handler)
	t.Cleanup(service.Close)
	d := &drive{}
	d.Config = load.Config{
		Base:    service.URL,
		Service: hypotheses.Service{Endpoints: map[string]hypotheses.Endpoint{"ask": {Request: "POST /ask"}}},
		Load:    hypotheses.Load{Phases: phases, Arrivals: hypotheses.Constant},
		Seed:    7,
		Started: time.Now(),
		Record: func(r hypotheses.Request) {
			if !d.mu.TryLock() {
				t.Error("two requests are recorded at the same time")
				d.mu.Lock()
			}
			defer d.mu.Unlock()
			d.requests = append(d.requests, r)
		},
		Phase: func(name string, at time.Duration) { d.phases = append(d.phases, name) },
	}
	return d
}

// endpoint replaces the endpoint ask.
func (d *drive) endpoint(e hypotheses.Endpoint) *drive {
	if e.Request == "" {
		e.Request = "POST /ask"
	}
	d.Service.Endpoints["ask"] = e
	return d
}

// run drives to the end and gives the requests by number.
func (d *drive) run(t *testing.T) []hypotheses.Request {
	t.Helper()
	requests, _ := d.runHealth(t)
	return requests
}

func (d *drive) runHealth(t *testing.T) ([]hypotheses.Request, hypotheses.Health) {
	t.Helper()
	health, err := load.Drive(context.Background(), d.Config)
	if err != nil {
		t.Fatal(err)
	}
	return d.bySeq(), health
}

func (d *drive) bySeq() []hypotheses.Request {
	slices.SortFunc(d.requests, func(a, b hypotheses.Request) int { return a.Seq - b.Seq })
	return d.requests
}

// one sends a single request to the handler and gives its record.
func one(t *testing.T, handler http.HandlerFunc, e hypotheses.Endpoint, seen ...string) hypotheses.Request {
	t.Helper()
	d := newDrive(t, handler, serial(1)).endpoint(e)
	d.Seen = seen
	requests := d.run(t)
	if len(requests) != 1 {
		t.Fatalf("%d requests recorded, want 1", len(requests))
	}
	return requests[0]
}

func serial(n int) hypotheses.Phase {
	return hypotheses.Phase{Name: "baseline", Shape: hypotheses.Shape{Serial: n}}
}

func count(requests []hypotheses.Request, is func(hypotheses.Request) bool) int {
	n := 0
	for _, r := range requests {
		if is(r) {
			n++
		}
	}
	return n
}

func ended(outcome hypotheses.Outcome) func(hypotheses.Request) bool {
	return func(r hypotheses.Request) bool { return r.Outcome == outcome }
}

// A gauge counts how many are in at once.
type gauge struct {
	mu        sync.Mutex
	now, high int
}

func (g *gauge) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now++
	g.high = max(g.high, g.now)
}

func (g *gauge) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now--
}

func (g *gauge) most() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.high
}
