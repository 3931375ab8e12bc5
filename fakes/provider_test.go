package fakes_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

func TestAddresses(t *testing.T) {
	p, _ := start(t, fakes.Listen("0.0.0.0:0"))
	if host, _, err := net.SplitHostPort(p.Addr()); err != nil || host != "127.0.0.1" {
		t.Errorf("address: got %q, %v, want one that clients can dial", p.Addr(), err)
	}
	if p.URL() != "http://"+p.Addr() || p.OpenAI() != p.URL()+"/v1" {
		t.Errorf("got %s and %s", p.URL(), p.OpenAI())
	}
	if base, ok := p.BaseURL("openai"); !ok || base != p.OpenAI() {
		t.Errorf("openai: got %q, %t", base, ok)
	}
	if base, ok := p.BaseURL("morse"); ok {
		t.Errorf("morse: got %q, want none", base)
	}
	_, err := fakes.Start(fakes.Name("second"), fakes.Listen(p.Addr()))
	if err == nil || !strings.Contains(err.Error(), "second") {
		t.Errorf("an address in use: got %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("NewProvider did not panic where it cannot listen")
		}
	}()
	fakes.NewProvider(fakes.Listen("nowhere"))
}

// TestBodyLimit: a body at the limit passes, one over it gets the dialect's
// 413.
func TestBodyLimit(t *testing.T) {
	p, ended := start(t, fakes.BodyLimit(int64(len(plainChat))))
	if got := call(t, p, plainChat); got != 200 {
		t.Errorf("at the limit: got %d, want 200", got)
	}
	next(t, ended)
	c := dial(t, p.Addr())
	c.post(t, plainChat+strings.Repeat(" ", 500))
	if a := c.answer(t); a.err != nil || a.status != 413 || !strings.Contains(string(a.body), `"invalid_request_error"`) {
		t.Errorf("over the limit: got %d %s, %v", a.status, a.body, a.err)
	}
	if got := next(t, ended); got.Status != 413 || got.BodyHash != "" {
		t.Errorf("ledger: got %+v", got)
	}
}

// TestPace: the healthy waits, of which an answer that is not streamed has the
// sum and an error none.
func TestPace(t *testing.T) {
	const first, gap = 20 * time.Millisecond, 4 * time.Millisecond
	p, ended := start(t, fakes.Pace(first, gap))
	call(t, p, plainChat)
	whole := next(t, ended)
	if want := first + 5*gap; whole.Planned.Delay != want || whole.Achieved.Delay < want {
		t.Errorf("whole answer: planned %v, achieved %v, want %v", whole.Planned.Delay, whole.Achieved.Delay, want)
	}
	call(t, p, streamChat)
	streamed := next(t, ended)
	if streamed.Planned.Delay != first || streamed.Achieved.Delay < first {
		t.Errorf("stream: planned %v, achieved %v, want %v", streamed.Planned.Delay, streamed.Achieved.Delay, first)
	}
	if length := streamed.EndedAt.Sub(streamed.FirstAt); length < 5*gap {
		t.Errorf("stream: it took %v, want at least %v", length, 5*gap)
	}
	if streamed.Late <= 0 || whole.Late <= 0 {
		t.Errorf("late: got %v and %v, want the lateness of the timers", streamed.Late, whole.Late)
	}
	p.Inject(faults.On(faults.Unavailable{}))
	call(t, p, plainChat)
	if refused := next(t, ended); refused.Planned.Delay != 0 {
		t.Errorf("an error: planned %v, want 0", refused.Planned.Delay)
	}
}

// TestSlowFirstToken: the wait is on the right side of the headers.
func TestSlowFirstToken(t *testing.T) {
	const delay = 20 * time.Millisecond
	for _, body := range []string{plainChat, streamChat} {
		p, ended := start(t)
		p.Inject(faults.On(faults.SlowFirstToken{Delay: delay, Headers: faults.HeadersEarly}).First(1), faults.On(faults.SlowFirstToken{Delay: delay}))
		call(t, p, body)
		if early := next(t, ended); early.FirstAt.Sub(early.HeadersAt) < delay {
			t.Errorf("early headers: the first byte came %v after them", early.FirstAt.Sub(early.HeadersAt))
		}
		call(t, p, body)
		if late := next(t, ended); late.HeadersAt.Sub(late.Arrived) < delay {
			t.Errorf("late headers: they came after %v", late.HeadersAt.Sub(late.Arrived))
		}
	}
}

// TestQuantiles: waits of a distribution are seeded like shares.
func TestQuantiles(t *testing.T) {
	waits := func(seed uint64) (list [5]time.Duration) {
		p, ended := start(t, fakes.Seed(seed))
		p.Inject(faults.On(faults.SlowFirstToken{Quantiles: faults.Quantiles{P50: time.Millisecond, P99: 3 * time.Millisecond}}))
		for i := range list {
			call(t, p, plainChat)
			list[i] = next(t, ended).Planned.Delay
		}
		return list
	}
	if a, b, c := waits(1), waits(1), waits(2); a != b || a == c {
		t.Errorf("got %v, the same seed %v, another %v", a, b, c)
	}
}
