package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

func TestFailuresAreTold(t *testing.T) {
	dial := func(errno syscall.Errno) error {
		return &net.OpError{Op: "dial", Err: os.NewSyscallError("socket", errno)}
	}
	for _, c := range []struct {
		name    string
		cause   error // of the context; nil: it goes on
		err     error
		outcome hypotheses.Outcome
		why     hypotheses.RequestError
	}{
		{"user", outOfPatience, context.DeadlineExceeded, hypotheses.Failed, hypotheses.ErrTimeout},
		{"drain", drained, context.Canceled, hypotheses.Failed, hypotheses.ErrTimeout},
		{"abort", errors.New("guard"), context.Canceled, hypotheses.Dropped, ""},
		{"refused", nil, dial(syscall.ECONNREFUSED), hypotheses.Failed, hypotheses.ErrRefused},
		{"no descriptor left", nil, dial(syscall.EMFILE), hypotheses.NotSent, ""},
		{"no port left", nil, dial(syscall.EADDRNOTAVAIL), hypotheses.NotSent, ""},
		{"reset", nil, &net.OpError{Op: "read", Err: syscall.ECONNRESET}, hypotheses.Failed, hypotheses.ErrReset},
		{"certificate", nil, errors.New("tls: failed to verify certificate: x509: unknown authority"), hypotheses.Failed, hypotheses.ErrRefused},
		{"no http", nil, fmt.Errorf("net/http: %w", errors.New(`malformed HTTP response "x"`)), hypotheses.Failed, hypotheses.ErrMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			if c.cause != nil {
				cancel(c.cause)
			}
			r := hypotheses.Request{Sent: 1, End: 2}
			fail(&r, ctx, c.err)
			if r.Outcome != c.outcome || r.Error != c.why || r.Detail == "" {
				t.Errorf("got %q %q %q, want %q %q", r.Outcome, r.Error, r.Detail, c.outcome, c.why)
			}
			if sent := r.Sent != 0; sent != (c.outcome != hypotheses.NotSent) {
				t.Errorf("sent at %v", r.Sent)
			}
		})
	}
}

// What is still open when the drain ends has timed out, whatever its user's
// patience.
func TestTheDrainEnds(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer service.Close()
	patience := time.Hour
	got := []hypotheses.Request{}
	ctx, giveUp := context.WithCancelCause(context.Background())
	defer giveUp(nil)
	d, err := newDriver(ctx, Config{
		Base:    service.URL,
		Service: hypotheses.Service{Endpoints: map[string]hypotheses.Endpoint{"ask": {Request: "GET /ask", Timeout: &patience}}},
		Load:    hypotheses.Load{Phases: []hypotheses.Phase{{Name: "fault", For: time.Millisecond, Shape: hypotheses.Shape{Burst: 5}}}},
		Started: time.Now(),
		Record:  func(r hypotheses.Request) { got = append(got, r) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.transport.CloseIdleConnections()
	d.runPhases(ctx)
	d.drain(ctx, 20*time.Millisecond, giveUp)
	for _, r := range got {
		if r.Outcome != hypotheses.Failed || r.Error != hypotheses.ErrTimeout || r.Detail != drained.Error() {
			t.Errorf("got %+v", r)
		}
	}
	if len(got) != 5 {
		t.Errorf("%d requests recorded, want 5", len(got))
	}
}

func TestDefaultCapOnOpenRequests(t *testing.T) {
	patience := 2 * time.Second
	service := hypotheses.Service{Endpoints: map[string]hypotheses.Endpoint{"ask": {Timeout: &patience}}}
	phases := func(s hypotheses.Shape) []hypotheses.Phase {
		return []hypotheses.Phase{{Name: "fault", For: time.Second, Shape: s}}
	}
	for _, c := range []struct {
		name string
		load hypotheses.Load
		want int
	}{
		{"least", hypotheses.Load{Phases: phases(hypotheses.Shape{Rate: 1})}, 64},
		{"rate", hypotheses.Load{Phases: phases(hypotheses.Shape{Rate: 100})}, 800},
		{"rate and bystanders", hypotheses.Load{Bystanders: 50, Phases: phases(hypotheses.Shape{Rate: 100})}, 1200},
		{"most", hypotheses.Load{Phases: phases(hypotheses.Shape{Rate: 1e6})}, 20000},
		{"burst", hypotheses.Load{Phases: phases(hypotheses.Shape{Burst: 500})}, 500},
		{"users", hypotheses.Load{Phases: phases(hypotheses.Shape{Users: 200})}, 200},
		{"own", hypotheses.Load{InFlight: 3, Phases: phases(hypotheses.Shape{Rate: 100})}, 3},
		{"own, too large", hypotheses.Load{InFlight: 90000, Phases: phases(hypotheses.Shape{Rate: 1})}, 20000},
	} {
		table := &timetable{}
		for _, p := range c.load.Phases {
			table.phases = append(table.phases, phase{Phase: p})
		}
		if got := maxOpen(c.load, service, table); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
