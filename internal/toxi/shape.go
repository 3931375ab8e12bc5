package toxi

import (
	"math/rand/v2"
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// A shape is what all toxics that selected one connection do to it together:
// latencies add up, the lowest rate and the earliest end win.
type shape struct {
	latencies  []faults.Latency
	limited    bool            // bandwidth
	rate       faults.ByteRate // when limited
	drops      bool            // timeout: all bytes are dropped
	timeout    time.Duration   // when drops: close after so long without a byte; 0: never
	resets     bool            // reset_peer: the first bytes end the connection
	resetAfter time.Duration   // when resets: so long after them
}

func (s *shape) add(toxic faults.Toxic) {
	switch t := toxic.(type) {
	case faults.Latency:
		s.latencies = append(s.latencies, t)
	case faults.Bandwidth:
		if !s.limited || t.Rate < s.rate {
			s.limited, s.rate = true, t.Rate
		}
	case faults.Timeout:
		if s.timeout == 0 || t.Timeout > 0 && t.Timeout < s.timeout {
			s.timeout = t.Timeout
		}
		s.drops = true
	case faults.ResetPeer:
		if !s.resets || t.Timeout < s.resetAfter {
			s.resets, s.resetAfter = true, t.Timeout
		}
	}
}

// loses reports whether bytes that arrive are dropped.
func (s *shape) loses() bool { return s.drops || s.resets }

// holds reports whether bytes that arrive may have to wait.
func (s *shape) holds() bool { return s.limited || len(s.latencies) > 0 }

// delay draws the latency of one chunk, which is never below 0.
func (s *shape) delay(random *rand.Rand) time.Duration {
	var d time.Duration
	for _, l := range s.latencies {
		d += l.Latency
		if l.Jitter > 0 {
			d += time.Duration(random.Int64N(2*int64(l.Jitter)+1)) - l.Jitter
		}
	}
	return max(d, 0)
}

// forever is how long bytes wait at a rate of 0: longer than any run.
const forever = 100 * 365 * 24 * time.Hour

// airtime is how long the link is busy with n bytes.
func (s *shape) airtime(n int) time.Duration {
	switch {
	case !s.limited:
		return 0
	case s.rate == 0:
		return forever
	default:
		return time.Duration(float64(n) / float64(s.rate) * float64(time.Second))
	}
}

// portion is how many bytes leave at once, so that a slow link trickles: what
// it carries in 100 ms.
func (s *shape) portion(n int) int {
	if !s.limited || s.rate == 0 {
		return n
	}
	return min(n, max(1, int(s.rate/10)))
}
