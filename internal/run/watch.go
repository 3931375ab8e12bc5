package run

import (
	"fmt"
	"sync"
	"time"
)

// serviceDied is the cause of a run whose service ended by itself.
type serviceDied struct{ how string }

func (d serviceDied) Error() string { return "the service died: " + d.how }

// watchPeriod is how often limits and guards are looked at.
const watchPeriod = 50 * time.Millisecond

// watch ends the run when the service dies, a limit is passed or a guard
// trips. The returned function stops the watching.
func (s *session) watch(abort func(error)) (stop func()) {
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(watchPeriod)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-done:
				return
			case <-s.service.Died():
				abort(serviceDied{how: s.service.Cause()})
				return
			case <-tick.C:
				if err := s.overLimit(); err != nil {
					abort(err)
					return
				}
				if n%int(time.Second/watchPeriod) == 0 {
					s.progress("")
				}
			}
		}
	})
	return func() { close(done); group.Wait() }
}

// overLimit says which limit or guard the run has passed.
func (s *session) overLimit() error {
	limits := s.limits
	elapsed := time.Since(s.recorder.started)
	if limits.Duration > 0 && elapsed > limits.Duration {
		return fmt.Errorf("limits: the run took longer than %v", limits.Duration)
	}
	if calls := s.providers.calls(); limits.LeafCalls > 0 && calls > limits.LeafCalls {
		return fmt.Errorf("limits: %d leaf calls, more than %d", calls, limits.LeafCalls)
	}
	return s.requests.tripped(time.Now())
}

// progress tells how far the run is; phase is "" within a phase.
func (s *session) progress(phase string) {
	if s.cfg.Progress == nil {
		return
	}
	s.telling.Lock()
	defer s.telling.Unlock()
	p := s.requests.progress(phase)
	p.Elapsed = time.Since(s.recorder.started)
	p.Planned, _ = s.experiment.Load.Length()
	p.Calls = s.providers.calls()
	s.cfg.Progress(p)
}
