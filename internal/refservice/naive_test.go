package refservice_test

import (
	"slices"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/refservice"
)

// TestNaiveMultiplies counts the calls of one question in a total outage and
// reads the split off the SDK's retry header.
func TestNaiveMultiplies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg  refservice.Config
		path string
		want []int // x-stainless-retry-count, call by call
	}{
		"ask":            {refservice.Config{}, "/ask", []int{0, 1, 2, 0, 1, 2, 0, 1, 2}},
		"stream":         {refservice.Config{}, "/ask/stream", []int{0, 1, 2, 0, 1, 2, 0, 1, 2}},
		"two attempts":   {refservice.Config{Attempts: 2}, "/ask", []int{0, 1, 2, 0, 1, 2}},
		"no SDK retries": {refservice.Config{SDKRetries: new(0)}, "/ask", []int{0, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := provider(t, faults.On(faults.Unavailable{RetryAfter: faults.AfterMS(time.Millisecond)}))
			c.cfg.Policy, c.cfg.Primary = "naive", p.OpenAI()
			got := send(t, service(t, c.cfg), c.path, marked)
			if got.status != 502 || got.Error == "" {
				t.Errorf("got %+v, want a 502 that says why", got)
			}
			retries := []int{}
			for _, call := range calls(t, p) {
				retries = append(retries, *call.SDKRetry)
			}
			if !slices.Equal(retries, c.want) {
				t.Errorf("got %d calls with retry counts %v, want %v", len(retries), retries, c.want)
			}
		})
	}
}

func TestNaiveRetriesWhatCannotHeal(t *testing.T) {
	t.Parallel()
	p := provider(t, faults.On(faults.Status{Code: 400}))
	s := service(t, refservice.Config{Policy: "naive", Primary: p.OpenAI()})
	if got := ask(t, s); got.status != 502 {
		t.Errorf("got %+v, want 502", got)
	}
	if n := len(calls(t, p)); n != 3 {
		t.Errorf("got %d calls, want 3: the SDK does not retry a 400, the loop does", n)
	}
}

// TestNaiveStreams has cuts that the naive service sees, and the one it does
// not see.
func TestNaiveStreams(t *testing.T) {
	t.Parallel()
	after := faults.Chunks(4)
	for name, c := range map[string]struct {
		fault faults.Fault
		end   string
	}{
		"clean end without finish": {faults.Truncate{After: after, End: faults.EndClean}, "done"},
		"connection closed":        {faults.Truncate{After: after, End: faults.EndFIN}, "error"},
		"connection reset":         {faults.Truncate{After: after, End: faults.EndRST}, "error"},
		"malformed chunk":          {faults.MalformedChunk{After: after}, "error"},
		"error event":              {faults.StreamError{After: after}, "error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := provider(t, faults.On(c.fault))
			got := stream(t, service(t, refservice.Config{Policy: "naive", Primary: p.OpenAI()}))
			if want := []string{"token", c.end}; !slices.Equal(got.events, want) {
				t.Errorf("got events %q, want %q", got.events, want)
			}
			if n := len(calls(t, p)); n != 1 {
				t.Errorf("got %d calls, want 1: part of the answer was sent", n)
			}
		})
	}
}
