package run

import (
	"sync"
	"time"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/hypotheses/stats"
	"github.com/brownout-chaos/brownout/internal/journal"
)

// Kinds of notes.
const (
	noteInfrastructure = "infrastructure" // something of ours did not do its work in time
	noteDrain          = "drain"          // the end of the run was not quiet
	noteMatch          = "match"          // an expression of a fault could not be evaluated
)

// A recorder writes what happens into the journal. Leaf calls and notes that
// come before the journal is open (a service that calls its provider while it
// starts) are kept for it. It is safe for concurrent use.
type recorder struct {
	mu       sync.Mutex
	writer   *journal.Writer
	started  time.Time
	early    []fakes.Call
	notes    []hypotheses.Note
	lateness []float64
	wait     time.Time // end of the longest wait handed out
	requests int
	calls    map[string]int
	closed   bool
}

func (r *recorder) open(w *journal.Writer, started time.Time) {
	r.mu.Lock()
	r.writer, r.started, r.calls = w, started, map[string]int{}
	early, notes := r.early, r.notes
	r.early, r.notes = nil, nil
	r.mu.Unlock()
	for _, c := range early {
		r.call(c)
	}
	for _, n := range notes {
		w.Note(n)
	}
}

func (r *recorder) request(q hypotheses.Request) {
	r.mu.Lock()
	r.requests++
	r.mu.Unlock()
	r.writer.Request(q)
}

func (r *recorder) phase(p hypotheses.PhaseSpan) { r.writer.Phase(p) }

func (r *recorder) window(w hypotheses.Window) { r.writer.Window(w) }

func (r *recorder) call(c fakes.Call) {
	if r.count(c) {
		r.writer.Call(leafCall(c, r.started)) // not under the lock: callers wait for their answers
	}
}

// count adds the call to the totals. It is false where there is no journal to
// write it into, not yet or not any more.
func (r *recorder) count(c fakes.Call) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if r.writer == nil {
		r.early = append(r.early, c)
		return false
	}
	r.calls[c.Provider]++
	r.lateness = append(r.lateness, c.Late.Seconds())
	if c.RetryAt.After(r.wait) {
		r.wait = c.RetryAt
	}
	return true
}

func (r *recorder) note(kind, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
	case r.writer == nil:
		r.notes = append(r.notes, hypotheses.Note{Kind: kind, Text: text})
	default:
		r.writer.Note(hypotheses.Note{At: hypotheses.Seconds(time.Since(r.started)), Kind: kind, Text: text})
	}
}

// longestWait is when the last wait that a provider handed out is over.
func (r *recorder) longestWait() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wait
}

// providerLateness is the p99 of how much later than planned the providers
// acted.
func (r *recorder) providerLateness() hypotheses.Seconds {
	r.mu.Lock()
	defer r.mu.Unlock()
	return hypotheses.Seconds(stats.Quantile(r.lateness, 0.99) * 1e9)
}

// close writes the last records and gives the journal.
func (r *recorder) close(health hypotheses.Health, end hypotheses.End) (hypotheses.Journal, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	end.At = hypotheses.Seconds(time.Since(r.started))
	end.Requests, end.Calls = r.requests, r.calls
	r.writer.Health(health)
	r.writer.End(end)
	return r.writer.Close()
}

// leafCall is the journal's form of a provider's record.
func leafCall(c fakes.Call, zero time.Time) hypotheses.LeafCall {
	at := func(t time.Time) hypotheses.Seconds {
		if t.IsZero() {
			return 0
		}
		return hypotheses.Seconds(t.Sub(zero))
	}
	effect := func(e fakes.Effect) hypotheses.Effect {
		return hypotheses.Effect{Status: e.Status, Delay: hypotheses.Seconds(e.Delay), Bytes: e.Bytes, End: string(e.End)}
	}
	return hypotheses.LeafCall{
		ID: c.ID, Provider: c.Provider, API: c.API, Model: c.Model, Stream: c.Stream,
		Arrived: at(c.Arrived), Headers: at(c.HeadersAt), First: at(c.FirstAt), End: at(c.EndedAt),
		Status: c.Status, Fault: c.Fault,
		Planned: effect(c.Planned), Achieved: effect(c.Achieved), Late: hypotheses.Seconds(c.Late), Chunks: c.Chunks,
		HungUp: c.HungUp, HungUpHow: c.HungUpHow, HungUpAt: at(c.HungUpAt), RetryAt: at(c.RetryAt),
		BodyHash: c.BodyHash, SDKRetry: c.SDKRetry, Idempotency: c.Idempotency, Key: c.Key, Conn: c.Conn, Proto: c.Proto,
		Trace: c.Trace, Header: c.Header, Markers: c.Markers, TokensIn: c.TokensIn, TokensOut: c.TokensOut,
	}
}
