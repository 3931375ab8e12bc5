package load_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/load"
)

const ms = time.Millisecond

func ok(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) }

// What is driven is what was planned: the same requests, at the same times
// within their phases.
func TestDriveFollowsThePlan(t *testing.T) {
	d := newDrive(t, ok,
		timed("baseline", 300*ms, hypotheses.Shape{Rate: 100}), timed("fault", 200*ms, hypotheses.Shape{Burst: 10}), timed("recovery", 100*ms, hypotheses.Shape{Rate: 50}))
	d.Load.Arrivals, d.Load.Bystanders = hypotheses.Poisson, 50
	d.Service.Endpoints["search"] = hypotheses.Endpoint{Request: "GET /search", Bystander: true}
	planned, spans := load.Plan(d.Load, d.Service, d.Seed)
	requests, health := d.runHealth(t)
	if len(requests) != len(planned) {
		t.Fatalf("%d requests driven, %d planned", len(requests), len(planned))
	}
	offset := requests[0].Planned - planned[0].Planned
	for i, r := range requests {
		p := planned[i]
		if r.ID != p.ID || r.Seq != p.Seq || r.Endpoint != p.Endpoint || r.Phase != p.Phase || r.Trace != p.Trace {
			t.Fatalf("driven %+v, planned %+v", r, p)
		}
		if r.Outcome != hypotheses.OK || r.Status != 200 || r.Sent < r.Planned || r.Headers < r.Sent || r.End < r.FirstContent || r.FirstContent < r.Headers {
			t.Fatalf("got %+v", r)
		}
		// A burst starts when its phase was announced; everything else keeps its time.
		burst := r.Phase == "fault" && r.Endpoint == "ask"
		if at := r.Planned - offset; !burst && at != p.Planned || at < spans[0].Start {
			t.Errorf("%s was due at %v, planned for %v", r.ID, at.Duration(), p.Planned.Duration())
		}
	}
	if health.NotSent != 0 || health.LoadLateness <= 0 || health.ControlLateness <= 0 {
		t.Errorf("health is %+v", health)
	}
	if want := []string{"baseline", "fault", "recovery", "drain"}; !reflect.DeepEqual(d.phases, want) {
		t.Errorf("phases %v, want %v", d.phases, want)
	}
}

// The service is frozen for a while. An open loop with the clock at the
// planned start sees that every request which was due meanwhile waited;
// requests timed one after the other would show a single slow one.
func TestAStallIsSeenByEveryRequestThatWasDue(t *testing.T) {
	const stall = 300 * ms
	var thaw atomic.Int64 // since the start of the run
	var started time.Time
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(thaw.Load()) - time.Since(started))
	}, timed("baseline", 100*ms, hypotheses.Shape{Rate: 200}), timed("fault", 600*ms, hypotheses.Shape{Rate: 200}))
	started = d.Started
	d.Phase = func(name string, at time.Duration) {
		if name == "fault" {
			thaw.Store(int64(at + stall))
		}
	}
	requests := d.run(t)
	slow := 0
	for _, r := range requests {
		due := hypotheses.Seconds(thaw.Load()) - r.Planned // time to the thaw
		if r.Phase == "fault" && due > 0 {
			slow++
			if latency := r.End - r.Planned; latency < due {
				t.Fatalf("%s took %v though the service was frozen for %v", r.ID, latency.Duration(), due.Duration())
			}
		}
	}
	if want := int(200 * stall.Seconds()); slow < want-1 {
		t.Errorf("%d requests met the stall, want %d", slow, want)
	}
	if n := count(requests, ended(hypotheses.OK)); n != 140 {
		t.Errorf("%d answers, want 140", n)
	}
}

func TestRequestsOverTheCapAreNotSent(t *testing.T) {
	release := make(chan struct{})
	var arrived atomic.Int64
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		arrived.Add(1)
		<-release
	}, timed("fault", 200*ms, hypotheses.Shape{Rate: 100}))
	d.Load.InFlight = 5
	d.Phase = func(name string, at time.Duration) {
		if name == hypotheses.PhaseDrain {
			close(release)
		}
	}
	requests, health := d.runHealth(t)
	if sent, not := count(requests, ended(hypotheses.OK)), count(requests, ended(hypotheses.NotSent)); sent != 5 || not != 15 || health.NotSent != 15 || arrived.Load() != 5 {
		t.Errorf("%d answered, %d not sent, health says %d, service saw %d; want 5, 15, 15, 5", sent, not, health.NotSent, arrived.Load())
	}
	for _, r := range requests {
		if r.Outcome == hypotheses.NotSent && (r.Sent != 0 || r.End != 0 || r.Planned == 0 || !strings.Contains(r.Detail, "5 requests were open")) {
			t.Errorf("got %+v", r)
		}
	}
}

func TestConnectionsAreCapped(t *testing.T) {
	var open gauge
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		open.enter()
		time.Sleep(10 * ms)
		open.leave()
	}, hypotheses.Phase{Name: "fault", Shape: hypotheses.Shape{Burst: 30}})
	d.Load.Connections = 3
	requests := d.run(t)
	sent, not := count(requests, ended(hypotheses.OK)), count(requests, ended(hypotheses.NotSent))
	if sent < 3 || sent+not != 30 || not == 0 || open.most() > 3 {
		t.Errorf("%d answers over %d connections and %d not sent, want 30 in all, over at most 3, none waiting unseen", sent, open.most(), not)
	}
}

func TestCancelDropsWhatIsOpen(t *testing.T) {
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var arrived atomic.Int64
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		if arrived.Add(1) == 10 {
			cancel(stop)
		}
		<-r.Context().Done()
	}, timed("fault", time.Hour, hypotheses.Shape{Rate: 200}))
	d.Load.Arrivals = hypotheses.Poisson
	d.Load.Phases[0].For = time.Minute
	if _, err := load.Drive(ctx, d.Config); err != stop {
		t.Errorf("got error %v, want the cause of the context", err)
	}
	requests := d.bySeq()
	if n := count(requests, ended(hypotheses.Dropped)); n < 10 || n != len(requests) {
		t.Errorf("%d of %d requests dropped, want all and at least 10", n, len(requests))
	}
	if reflect.DeepEqual(d.phases, []string{"fault", "drain"}) {
		t.Error("an aborted run has no drain")
	}
}

func TestSerialIsOneAtATime(t *testing.T) {
	var open gauge
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		open.enter()
		time.Sleep(ms)
		open.leave()
	}, serial(20), hypotheses.Phase{Name: "fault", Shape: hypotheses.Shape{Serial: 10}})
	requests := d.run(t)
	if len(requests) != 30 || open.most() != 1 {
		t.Fatalf("%d requests, %d at once; want 30, 1", len(requests), open.most())
	}
	for i := 1; i < len(requests); i++ {
		if requests[i].Planned < requests[i-1].End || requests[i].Seq != i+1 {
			t.Errorf("%s began at %v, before the end of %s", requests[i].ID, requests[i].Planned.Duration(), requests[i-1].ID)
		}
	}
}

// The cap of a serial phase ends it. The open request stays open; the rest is
// not sent.
func TestSerialEndsAtItsCap(t *testing.T) {
	release := make(chan struct{})
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) { <-release },
		timed("fault", 50*ms, hypotheses.Shape{Serial: 10}), hypotheses.Phase{Name: "recovery", Shape: hypotheses.Shape{Serial: 3}})
	d.Phase = func(name string, at time.Duration) {
		if name == "recovery" {
			close(release)
		}
	}
	requests := d.run(t)
	got := []int{}
	for _, r := range requests {
		got = append(got, r.Seq)
		if r.Outcome != hypotheses.OK {
			t.Errorf("got %+v", r)
		}
	}
	if want := []int{1, 11, 12, 13}; !reflect.DeepEqual(got, want) {
		t.Errorf("requests %v, want %v", got, want)
	}
}

func TestBurstIsSentAtOnce(t *testing.T) {
	const n = 40
	var arrived atomic.Int64
	all := make(chan struct{})
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		if arrived.Add(1) == n {
			close(all)
		}
		<-all // nobody is answered before all are here
	}, hypotheses.Phase{Name: "fault", Shape: hypotheses.Shape{Burst: n}})
	requests := d.run(t)
	if answered := count(requests, ended(hypotheses.OK)); answered != n {
		t.Errorf("%d of %d answered", answered, n)
	}
	for _, r := range requests {
		if r.Planned != requests[0].Planned {
			t.Errorf("%s is planned for %v, the first for %v", r.ID, r.Planned.Duration(), requests[0].Planned.Duration())
		}
	}
}

func TestUsersWaitForTheirAnswers(t *testing.T) {
	var open gauge
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		open.enter()
		time.Sleep(5 * ms)
		open.leave()
	}, timed("fault", 200*ms, hypotheses.Shape{Users: 4}))
	requests := d.run(t)
	if open.most() > 4 || len(requests) < 8 || len(requests) > 80 {
		t.Errorf("%d requests, %d at once; want at most 4 at once", len(requests), open.most())
	}
	last := map[int]hypotheses.Request{}
	for _, r := range requests {
		user := (r.Seq - 1) % 4
		if before, ok := last[user]; ok && (r.Seq != before.Seq+4 || r.Planned < before.End) {
			t.Errorf("user %d: %s began at %v, after %s which ended at %v", user, r.ID, r.Planned.Duration(), before.ID, before.End.Duration())
		}
		last[user] = r
	}
	if len(last) != 4 {
		t.Errorf("%d users, want 4", len(last))
	}
}

// Bystanders go on beside a phase whose end depends on answers, with numbers
// that clash with nothing.
func TestBystandersBesideSerial(t *testing.T) {
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			time.Sleep(20 * ms)
		}
	}, serial(10), timed("fault", 50*ms, hypotheses.Shape{Rate: 100}))
	d.Load.Bystanders = 100
	d.Service.Endpoints["search"] = hypotheses.Endpoint{Request: "GET /search", Bystander: true}
	seen, kinds := map[int]bool{}, map[string]int{}
	for _, r := range d.run(t) {
		if seen[r.Seq] {
			t.Errorf("two requests have the number %d", r.Seq)
		}
		seen[r.Seq] = true
		kinds[r.Phase+" "+r.Endpoint]++
	}
	if kinds["baseline ask"] != 10 || kinds["baseline search"] < 10 || kinds["fault ask"] != 5 || kinds["fault search"] != 5 {
		t.Errorf("got %v", kinds)
	}
}

// A phase is announced before its first request, so that its faults are on.
func TestPhasesAreAnnouncedFirst(t *testing.T) {
	var phase atomic.Value
	phase.Store("")
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X-Phase", phase.Load().(string)) },
		serial(5), hypotheses.Phase{Name: "fault", Shape: hypotheses.Shape{Serial: 5}}, hypotheses.Phase{Name: "recovery", Shape: hypotheses.Shape{Serial: 5}})
	d.Phase = func(name string, at time.Duration) { phase.Store(name) }
	d.Seen = []string{"header.x-phase"}
	for _, r := range d.run(t) {
		if r.Seen["header.x-phase"] != r.Phase {
			t.Errorf("%s of phase %s met phase %v", r.ID, r.Phase, r.Seen["header.x-phase"])
		}
	}
}

func TestLoadsThatCannotBeSent(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*drive)
		want   string
	}{
		{"rate without length", func(d *drive) { d.Load.Phases = []hypotheses.Phase{{Name: "fault", Shape: hypotheses.Shape{Rate: 5}}} }, `load.phases[0]: phase "fault" has no length`},
		{"nothing without length", func(d *drive) { d.Load.Phases = []hypotheses.Phase{{Name: "fault"}} }, "has no length"},
		{"only bystanders", func(d *drive) { d.endpoint(hypotheses.Endpoint{Bystander: true}) }, "every endpoint is a bystander"},
		{"no bystanders", func(d *drive) { d.Load.Bystanders = 5 }, "no endpoint is a bystander"},
		{"unknown endpoint", func(d *drive) { d.Load.Mix = map[string]float64{"aks": 1} }, `"aks"`},
		{"unknown variable", func(d *drive) { d.endpoint(hypotheses.Endpoint{Body: "${env.TOKEN}"}) }, `endpoints.ask.body: "${env.TOKEN}" has no value`},
		{"request", func(d *drive) { d.endpoint(hypotheses.Endpoint{Request: "/ask"}) }, "want for instance POST /ask"},
		{"header name", func(d *drive) { d.endpoint(hypotheses.Endpoint{Headers: map[string]string{"X A": "b"}}) }, `endpoints.ask.headers: "X A"`},
		{"header value", func(d *drive) { d.endpoint(hypotheses.Endpoint{Headers: map[string]string{"X-A": "b\nc"}}) }, "endpoints.ask.headers: the value of X-A"},
		{"path", func(d *drive) { d.endpoint(hypotheses.Endpoint{Request: "GET /%zz"}) }, "endpoints.ask.request"},
		{"address", func(d *drive) { d.Base = "localhost" }, "no address of a service"},
		{"failed_when", func(d *drive) { d.endpoint(hypotheses.Endpoint{FailedWhen: "status >"}) }, "endpoints.ask.failed_when"},
		{"degraded_when", func(d *drive) { d.endpoint(hypotheses.Endpoint{DegradedWhen: "bdoy.x"}) }, "endpoints.ask.degraded_when"},
		{"stream", func(d *drive) { d.endpoint(hypotheses.Endpoint{Stream: hypotheses.Stream{Format: "sse", End: "("}}) }, "endpoints.ask.stream.end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDrive(t, ok, serial(1))
			c.change(d)
			_, err := load.Drive(context.Background(), d.Config)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %s", err, c.want)
			}
			if len(d.requests) > 0 || len(d.phases) > 0 {
				t.Errorf("something was sent: %v %v", d.requests, d.phases)
			}
		})
	}
}
