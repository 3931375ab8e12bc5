package load

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/secrets"
)

// Drive sends the load and returns when every answer is in, at most 60 s after
// the end of the last phase; what is open by then has timed out. When ctx ends
// first, nothing more is sent, open requests are recorded as dropped, and the
// error is the cause of ctx. Any other error means that nothing was sent.
//
// Times are since cfg.Started; latency is End minus Planned. A request over
// the cap on open requests is recorded as not sent, and so is one for which
// this machine had no descriptor or port left.
func Drive(ctx context.Context, cfg Config) (hypotheses.Health, error) {
	run, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	d, err := newDriver(run, cfg)
	if err != nil {
		return hypotheses.Health{}, err
	}
	defer d.transport.CloseIdleConnections()
	control := startControl()
	d.runPhases(run)
	d.drain(run, drainLimit, giveUp)
	return d.results.health(control.stop()), context.Cause(ctx)
}

// A driver is one run of [Drive].
type driver struct {
	cfg       Config
	table     *timetable
	endpoints map[string]*endpoint
	transport *http.Transport
	results   *results
	buffers   sync.Pool      // of *[]byte, for reading answers
	room      int64          // cap on open requests
	open      atomic.Int64   // open requests
	work      sync.WaitGroup // open requests, and users between two of them
}

func newDriver(ctx context.Context, cfg Config) (*driver, error) {
	d := &driver{cfg: cfg, table: newTimetable(cfg.Load, cfg.Service, cfg.Seed), endpoints: map[string]*endpoint{}}
	if err := cfg.check(d.table); err != nil {
		return nil, err
	}
	vars := newVariables(cfg.Lookup)
	for name, e := range cfg.Service.Endpoints {
		compiled, err := newEndpoint(e, cfg, vars)
		if err != nil {
			return nil, fmt.Errorf("endpoints.%s.%w", name, err)
		}
		d.endpoints[name] = compiled
	}
	room := maxOpen(cfg.Load, cfg.Service, d.table)
	d.room = int64(room)
	d.transport = newTransport(ctx, room, cfg.Load.Connections)
	d.results = &results{record: cfg.Record, redact: secrets.New(vars.secrets)}
	d.buffers.New = func() any { return new(make([]byte, readSize)) }
	return d, nil
}

// now is the time since the start of the run.
func (d *driver) now() hypotheses.Seconds { return hypotheses.Seconds(time.Since(d.cfg.Started)) }

// announce tells that a phase begins.
func (d *driver) announce(name string, at time.Time) {
	if d.cfg.Phase != nil {
		d.cfg.Phase(name, at.Sub(d.cfg.Started))
	}
}

// drain waits for the answers that are still to come, and gives up those that
// take longer than the limit.
func (d *driver) drain(ctx context.Context, limit time.Duration, giveUp context.CancelCauseFunc) {
	if ctx.Err() == nil {
		d.announce(hypotheses.PhaseDrain, time.Now())
	}
	defer time.AfterFunc(limit, func() { giveUp(drained) }).Stop()
	d.work.Wait()
}

// admit counts a request as open, or records that there was no room for it.
func (d *driver) admit(r hypotheses.Request) bool {
	if d.open.Add(1) <= d.room {
		return true
	}
	d.open.Add(-1)
	r.Outcome, r.Detail = hypotheses.NotSent, fmt.Sprintf("%d requests were open", d.room)
	d.results.add(r)
	return false
}

// serve sends an admitted request and records it.
func (d *driver) serve(ctx context.Context, r hypotheses.Request) {
	defer d.open.Add(-1)
	d.results.add(d.exchange(ctx, r))
}
