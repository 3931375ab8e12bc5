package load

import (
	"context"
	"sync"
	"time"
)

// userPause is the least time between two requests of a closed-loop user, so
// that a service that answers at once, or refuses, is not flooded.
const userPause = 10 * time.Millisecond

// runPhases runs the phases in order. Each begins when the one before was
// planned to end, or, where that is not known ahead, when it has ended.
func (d *driver) runPhases(ctx context.Context) {
	start := time.Now()
	for _, p := range d.table.phases {
		if !pause(ctx, start) {
			return
		}
		d.announce(p.Name, start)
		d.runPhase(ctx, p, start)
		if p.timed() {
			start = start.Add(p.For)
		} else {
			start = time.Now()
		}
	}
	pause(ctx, start)
}

// runPhase returns when the phase is over; requests may still be open.
func (d *driver) runPhase(ctx context.Context, p phase, start time.Time) {
	inPhase, over := p.lasting(ctx, start)
	var bystanders sync.WaitGroup
	defer bystanders.Wait()
	defer over()
	if p.endless != nil {
		bystanders.Go(func() { d.bystanders(ctx, inPhase, p, start) })
	}
	answered := d.counted(ctx, inPhase, p)
	d.users(ctx, inPhase, p)
	d.openLoop(ctx, p, start)
	select {
	case <-inPhase.Done():
	case <-answered:
	}
}

// lasting is a context that ends with the phase.
func (p phase) lasting(ctx context.Context, start time.Time) (context.Context, context.CancelFunc) {
	if p.For > 0 {
		return context.WithDeadline(ctx, start.Add(p.For))
	}
	return context.WithCancel(ctx)
}

// openLoop sends each arrival at its time, whatever became of the others.
func (d *driver) openLoop(ctx context.Context, p phase, start time.Time) {
	for _, a := range p.open {
		if !pause(ctx, start.Add(a.at)) {
			return
		}
		d.sendApart(ctx, p, a, start.Add(a.at), func() {})
	}
}

// sendApart sends a request in a goroutine of its own; done is called when it
// is over.
func (d *driver) sendApart(ctx context.Context, p phase, a arrival, planned time.Time, done func()) {
	r := d.table.request(p.Name, a, planned.Sub(d.cfg.Started))
	if !d.admit(r) {
		done()
		return
	}
	d.work.Go(func() { d.serve(ctx, r); done() })
}

// counted sends the requests of a serial or burst phase, from now on. The
// channel is closed when they are answered and the phase ends with that.
func (d *driver) counted(ctx, inPhase context.Context, p phase) (answered <-chan struct{}) {
	if len(p.counted) == 0 {
		return nil
	}
	all := make(chan struct{})
	now := time.Now()
	if p.Serial > 0 {
		d.work.Go(func() { d.serial(ctx, inPhase, p); close(all) })
		return all
	}
	var burst sync.WaitGroup
	burst.Add(len(p.counted))
	for _, a := range p.counted {
		d.sendApart(ctx, p, a, now, burst.Done)
	}
	if p.timed() {
		return nil
	}
	d.work.Go(func() { burst.Wait(); close(all) })
	return all
}

// serial sends one request after the other. Those that the end of the phase
// overtakes are not sent.
func (d *driver) serial(ctx, inPhase context.Context, p phase) {
	for _, a := range p.counted {
		if inPhase.Err() != nil {
			return
		}
		d.sendNow(ctx, p, a)
	}
}

// sendNow sends a request and waits for its answer.
func (d *driver) sendNow(ctx context.Context, p phase, a arrival) {
	r := d.table.request(p.Name, a, time.Since(d.cfg.Started))
	if d.admit(r) {
		d.serve(ctx, r)
	}
}

// users starts the closed loops: each user sends, waits for the answer, and
// sends again until the phase is over.
func (d *driver) users(ctx, inPhase context.Context, p phase) {
	for user := range p.Users {
		d.work.Go(func() {
			for i := 0; inPhase.Err() == nil; i++ {
				again := time.Now().Add(userPause)
				d.sendNow(ctx, p, d.table.next(p.lane+user, i, d.table.mix))
				pause(inPhase, again)
			}
		})
	}
}

// bystanders sends the bystanders of a phase whose end is not known ahead.
func (d *driver) bystanders(ctx, inPhase context.Context, p phase, start time.Time) {
	for i := 0; ; i++ {
		at := start.Add(p.endless.next())
		if !pause(inPhase, at) {
			return
		}
		d.sendApart(ctx, p, d.table.next(p.lane+p.Users, i, d.table.bystanders), at, func() {})
	}
}

// pause waits until t, and reports false when ctx ended before.
func pause(ctx context.Context, t time.Time) bool {
	wait := time.Until(t)
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
