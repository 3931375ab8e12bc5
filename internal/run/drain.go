package run

import (
	"context"
	"time"
)

const (
	drainLimit = 60 * time.Second       // longest wait for late leaf calls after the last answer
	drainTick  = 20 * time.Millisecond  // how often it looks
	drainQuiet = 200 * time.Millisecond // without a new leaf call: retries in progress would have come
	drainHung  = time.Second            // without a new leaf call while some are open: those hang
)

// drain waits until the providers are quiet and the longest wait that they
// handed out has passed, so that late retries are counted. A call that still
// hangs by then, though its caller was answered, ends with the service.
func (s *session) drain(ctx context.Context) {
	deadline := time.Now().Add(drainLimit)
	tick := time.NewTicker(drainTick)
	defer tick.Stop()
	calls, changed := s.providers.calls(), time.Now()
	for time.Now().Before(deadline) {
		if n := s.providers.calls(); n != calls {
			calls, changed = n, time.Now()
		}
		quiet := time.Since(changed)
		settled := s.providers.inFlight() == 0 || quiet > drainHung
		if settled && quiet > drainQuiet && time.Now().After(s.recorder.longestWait()) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	s.recorder.note(noteDrain, "the drain ended after its 60 s: later leaf calls were not seen")
}
