package load

import (
	"sync"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/hypotheses/stats"
	"github.com/brownout-chaos/brownout/internal/secrets"
)

// lateQuantile is the quantile of lateness that health shows.
const lateQuantile = 0.99

// results hands on what was recorded, one request at a time, and keeps what
// health needs. It is safe for concurrent use.
type results struct {
	mu      sync.Mutex
	record  func(hypotheses.Request)
	redact  *secrets.Redactor
	late    []float64 // nanoseconds between planned start and dispatch
	notSent int
}

func (s *results) add(r hypotheses.Request) {
	if r.Detail != "" || r.ExprError != "" {
		r.Detail, r.ExprError = s.redact.Line(r.Detail), s.redact.Line(r.ExprError)
	}
	for path, value := range r.Seen {
		r.Seen[path] = s.redact.Seen(path, value)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Outcome == hypotheses.NotSent {
		s.notSent++
	} else {
		s.late = append(s.late, float64(r.Sent-r.Planned))
	}
	s.record(r)
}

func (s *results) health(control []float64) hypotheses.Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	return hypotheses.Health{
		LoadLateness:    hypotheses.Seconds(stats.Quantile(s.late, lateQuantile)),
		ControlLateness: hypotheses.Seconds(stats.Quantile(control, lateQuantile)),
		NotSent:         s.notSent,
	}
}

// controlPeriod is how often the control wakes up.
const controlPeriod = 10 * time.Millisecond

// A control is a goroutine that only sleeps: how late it wakes up is the
// machine's own noise.
type control struct {
	quit chan struct{}
	late chan []float64
}

func startControl() *control {
	c := &control{quit: make(chan struct{}), late: make(chan []float64, 1)}
	go c.run()
	return c
}

func (c *control) run() {
	late := []float64{}
	timer := time.NewTimer(controlPeriod)
	defer timer.Stop()
	for at := time.Now().Add(controlPeriod); ; {
		select {
		case <-c.quit:
			c.late <- late
			return
		case <-timer.C:
			now := time.Now()
			late = append(late, float64(now.Sub(at)))
			at = now.Add(controlPeriod)
			timer.Reset(controlPeriod)
		}
	}
}

// stop ends the control and gives its lateness in nanoseconds.
func (c *control) stop() []float64 {
	close(c.quit)
	return <-c.late
}
