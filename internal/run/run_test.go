package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/run"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// relay is a service that passes each question to its provider once and hands
// on status and body. It forwards no trace: its calls are found by marker.
func relay(t *testing.T, provider string) hypotheses.Service {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ask" {
			return
		}
		question, _ := io.ReadAll(r.Body)
		body, _ := json.Marshal(map[string]any{
			"model": "m", "messages": []any{map[string]string{"role": "user", "content": string(question)}},
		})
		q, _ := http.NewRequestWithContext(r.Context(), http.MethodPost, "http://"+provider+"/v1/chat/completions", strings.NewReader(string(body)))
		answer, err := client.Do(q)
		if err != nil {
			http.Error(w, "no answer", http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		w.WriteHeader(answer.StatusCode)
		io.Copy(w, answer.Body)
	}))
	t.Cleanup(server.Close)
	patience := 2 * time.Second
	return hypotheses.Service{
		Subject:   hypotheses.Subject{URL: server.URL},
		Providers: map[string]hypotheses.Provider{"primary": {Listen: provider}},
		Endpoints: map[string]hypotheses.Endpoint{
			"ask":    {Request: "POST /ask", Body: "${marker}", Timeout: &patience},
			"search": {Request: "GET /search", Bystander: true, Timeout: &patience},
		},
	}
}

// freeAddress is a loopback address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(nil)
	defer server.Close()
	return server.Listener.Addr().String()
}

func experiment(t *testing.T, fault time.Duration, rules ...faults.Rule) hypotheses.Experiment {
	return hypotheses.Experiment{
		Title:   "test",
		Service: relay(t, freeAddress(t)),
		Load: hypotheses.Load{
			Shape:      hypotheses.Shape{Rate: 50},
			Bystanders: 20,
			Phases: []hypotheses.Phase{
				{Name: "baseline", For: 600 * time.Millisecond}, {Name: "fault", For: fault}, {Name: "recovery", For: 400 * time.Millisecond},
			},
		},
		Faults: rules,
	}
}

func TestFaultIsOnInItsPhaseOnly(t *testing.T) {
	j, err := run.Run(t.Context(), experiment(t, time.Second, faults.On(faults.Unavailable{}).During("fault")), run.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Windows) != 1 || j.Windows[0].Fired == 0 || j.Windows[0].Fired != j.Windows[0].Matched {
		t.Fatalf("windows: got %+v, want one that fired on all it matched", j.Windows)
	}
	byPhase := map[string]int{}
	for _, r := range j.Requests {
		if r.Endpoint == "search" && r.Outcome != hypotheses.OK {
			t.Errorf("bystander %s: %s %s", r.ID, r.Outcome, r.Detail)
		}
		if r.Endpoint == "ask" && r.Outcome == hypotheses.Failed && (r.Sent > j.Windows[0].End || r.End < j.Windows[0].Start) {
			t.Errorf("%s failed outside the window: %s", r.ID, r.Detail)
		}
		if r.Endpoint == "ask" && r.Outcome == hypotheses.Failed {
			byPhase[r.Phase]++
		}
	}
	if byPhase["fault"] < 10 {
		t.Errorf("failures by phase: got %v, want those of the fault phase", byPhase)
	}
	for _, c := range j.Calls {
		if c.Planned.Status != c.Achieved.Status || (c.Fault != "") != (c.Status == 503) {
			t.Errorf("call %d: fault %q, planned %+v, achieved %+v", c.ID, c.Fault, c.Planned, c.Achieved)
		}
	}
	if got := j.End.Calls["primary"]; got != len(j.Calls) || j.End.Requests != len(j.Requests) {
		t.Errorf("totals: got %+v, want %d calls and %d requests", j.End, len(j.Calls), len(j.Requests))
	}
}

func TestWindowWithinPhase(t *testing.T) {
	rule := faults.On(faults.Status{Code: 418}).During("fault").Between(300*time.Millisecond, 300*time.Millisecond)
	j, err := run.Run(t.Context(), experiment(t, time.Second, rule), run.Config{})
	if err != nil {
		t.Fatal(err)
	}
	w, phase := j.Windows[0], phaseOf(j, "fault")
	if got := (w.Start - phase.Start).Duration(); got < 300*time.Millisecond {
		t.Errorf("the window began %v into the phase, want 300ms or more", got)
	}
	if w.End >= phase.End || w.Fired == 0 {
		t.Errorf("window %+v, want one that fired and ended before the phase at %v", w, phase.End)
	}
	for _, c := range j.Calls {
		if c.Fault != "" && c.End < w.Start {
			t.Errorf("call %d was broken before the window", c.ID)
		}
	}
}

// TestWindowEndsWithItsPhase: a phase that ends with its last answer may be over
// before the time of a window in it. The fault must not fire in the next one.
func TestWindowEndsWithItsPhase(t *testing.T) {
	e := experiment(t, time.Second, faults.On(faults.Unavailable{}).During("fault").Between(300*time.Millisecond, 300*time.Millisecond))
	e.Load.Bystanders = 0
	e.Load.Phases[1] = hypotheses.Phase{Name: "fault", Shape: hypotheses.Shape{Serial: 1}}
	e.Load.Phases[2].For = 800 * time.Millisecond
	j, err := run.Run(t.Context(), e, run.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Windows) != 1 || j.Windows[0].Failed == "" {
		t.Errorf("windows: got %+v, want one that says that its time never came", j.Windows)
	}
	claim := hypotheses.Attempts("ask").AtMost(3).In("recovery")
	if f := hypotheses.Judge(j, claim).Findings[0]; f.Status != hypotheses.Held {
		t.Errorf("in another phase: got %s (%s), want held", f.Status, f.Detail)
	}
	if f := hypotheses.Judge(j, hypotheses.Attempts("ask").AtMost(3).MinSamples(1).In("fault")).Findings[0]; f.Status != hypotheses.Inconclusive {
		t.Errorf("in the phase of the fault: got %s (%s), want inconclusive", f.Status, f.Detail)
	}
	for _, c := range j.Calls {
		if c.Fault != "" {
			t.Errorf("call %d at %v was broken after the phase ended at %v", c.ID, c.Arrived.Duration(), phaseOf(j, "fault").End.Duration())
		}
	}
}

func phaseOf(j hypotheses.Journal, name string) hypotheses.PhaseSpan {
	i := slices.IndexFunc(j.Phases, func(p hypotheses.PhaseSpan) bool { return p.Name == name })
	return j.Phases[i]
}

func TestNetworkFault(t *testing.T) {
	rule := faults.On(faults.Network{Toxic: faults.Latency{Latency: 250 * time.Millisecond}}).During("fault")
	e := experiment(t, time.Second, rule)
	j, err := run.Run(t.Context(), e, run.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if w := j.Windows[0]; !w.Network || w.Kind != "latency" || w.Fired == 0 {
		t.Fatalf("window: got %+v, want a latency that touched connections", w)
	}
	slow := 0
	for _, r := range j.Requests {
		if r.Endpoint == "ask" && r.Phase == "fault" && r.End-r.Sent > hypotheses.Seconds(240*time.Millisecond) {
			slow++
		}
	}
	if slow == 0 {
		t.Error("no request of the fault phase took the 250ms")
	}
}

// TestLateGenerator makes the generator late on purpose: the progress callback
// is called in its goroutine before the first request of a phase.
func TestLateGenerator(t *testing.T) {
	e := experiment(t, time.Second, faults.On(faults.RateLimit{}).During("fault").Share(0.5))
	e.Hypotheses = hypotheses.Claims(hypotheses.Latency("ask").Quantile(0.5).Below(time.Second).In("fault"))
	j, err := run.Run(t.Context(), e, run.Config{Progress: func(p run.Progress) {
		if p.Phase == "fault" && p.Elapsed < time.Second {
			<-time.After(300 * time.Millisecond)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	f := hypotheses.Judge(j).Findings[0]
	if f.Status != hypotheses.Inconclusive || f.Reason != hypotheses.GeneratorLate {
		t.Errorf("got %s %s (%s), want inconclusive generator_late", f.Status, f.Reason, f.Detail)
	}
}

func TestAborts(t *testing.T) {
	share := 0.5
	tests := map[string]struct {
		change func(*hypotheses.Experiment)
		want   string
	}{
		"guard": {func(e *hypotheses.Experiment) {
			e.AbortIf = []hypotheses.Guard{{Errors: &hypotheses.GuardSpec{Of: "ask", Above: &share, For: 400 * time.Millisecond}}}
		}, "abort_if: errors of ask above 50%"},
		"leaf calls": {func(e *hypotheses.Experiment) { e.Limits.LeafCalls = 40 }, "limits: "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			e := experiment(t, 30*time.Second, faults.On(faults.Unavailable{}).During("fault"))
			test.change(&e)
			began := time.Now()
			j, err := run.Run(t.Context(), e, run.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(j.End.AbortedBy, test.want) {
				t.Errorf("aborted by %q, want %q", j.End.AbortedBy, test.want)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("it ran %v: the abort did not end it", took)
			}
		})
	}
}

func TestCancelKeepsAPartialJournal(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	e := experiment(t, 30*time.Second, faults.On(faults.Hang{}).During("fault"))
	j, err := run.Run(ctx, e, run.Config{Dir: t.TempDir(), Progress: func(p run.Progress) {
		if p.Phase == "fault" {
			time.AfterFunc(300*time.Millisecond, func() { cancel(errors.New("stopped by hand")) })
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if j.End.AbortedBy != "stopped by hand" || len(j.Requests) == 0 || len(j.Calls) == 0 || len(j.Windows) != 1 {
		t.Errorf("end %+v with %d requests, %d calls, %d windows", j.End, len(j.Requests), len(j.Calls), len(j.Windows))
	}
	dropped := slices.ContainsFunc(j.Requests, func(r hypotheses.Request) bool { return r.Outcome == hypotheses.Dropped })
	if !dropped {
		t.Error("no request is recorded as dropped, though all of the fault phase hung")
	}
}

func TestRemoteServiceNeedsLeave(t *testing.T) {
	e := experiment(t, time.Second)
	e.Service.Subject.URL = "http://192.0.2.1:80"
	if _, err := run.Run(t.Context(), e, run.Config{}); err == nil || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("got %v, want an error that names --yes", err)
	}
}
