package fakes_test

import (
	"errors"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/openai/openai-go/v3/option"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

// TestEnds tells the three ends apart at a bare connection, before any answer,
// in a whole answer and in a stream.
func TestEnds(t *testing.T) {
	const clean, fin, rst = "clean", "unexpected EOF", "connection reset"
	tests := []struct {
		name  string
		body  string
		fault faults.Fault
		want  string // how the connection ends
		sent  int64  // bytes of the body
	}{
		{"JSON clean", plainChat, faults.Truncate{After: faults.Bytes(100)}, clean, 100},
		{"JSON fin", plainChat, faults.Truncate{After: faults.Bytes(100), End: faults.EndFIN}, fin, 100},
		{"JSON rst", plainChat, faults.Truncate{After: faults.Bytes(100), End: faults.EndRST}, rst, 100},
		{"stream clean", streamChat, faults.Truncate{After: faults.Bytes(300)}, clean, 300},
		{"stream fin", streamChat, faults.Truncate{After: faults.Bytes(300), End: faults.EndFIN}, fin, 300},
		{"stream rst", streamChat, faults.Truncate{After: faults.Bytes(300), End: faults.EndRST}, rst, 300},
		{"empty stream", streamChat, faults.Empty{}, clean, 0},
		{"empty JSON", plainChat, faults.Empty{}, clean, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, ended := start(t)
			p.Inject(faults.On(test.fault))
			c := dial(t, p.Addr())
			c.post(t, test.body)
			a := c.answer(t)
			if int64(len(a.body)) != test.sent || endOf(a.err) != test.want {
				t.Errorf("got %d bytes and %v, want %d and %s", len(a.body), a.err, test.sent, test.want)
			}
			if got := next(t, ended); got.Achieved.Bytes != test.sent || got.Planned != planned(got) {
				t.Errorf("planned %+v, achieved %+v, want %d bytes", got.Planned, got.Achieved, test.sent)
			}
			if test.want == clean { // the connection lives on
				c.post(t, test.body)
				c.answer(t)
			}
		})
	}
}

// planned is the achieved effect with the planned delay, which no machine
// achieves exactly.
func planned(c fakes.Call) fakes.Effect {
	e := c.Achieved
	e.Delay = c.Planned.Delay
	return e
}

func endOf(err error) string {
	switch {
	case err == nil:
		return "clean"
	case errors.Is(err, syscall.ECONNRESET):
		return "connection reset"
	}
	return err.Error()
}

func TestEndsBeforeTheAnswer(t *testing.T) {
	p, ended := start(t)
	p.Inject(faults.On(faults.Reset{}))
	c := dial(t, p.Addr())
	c.post(t, plainChat)
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("got %d bytes and %v, want a reset", n, err)
	}
	want := fakes.Effect{End: fakes.EndRST}
	if got := next(t, ended); got.Planned != want || got.Achieved != want || !got.HeadersAt.IsZero() {
		t.Errorf("ledger: got %+v", got)
	}
}

// TestResetIsExact: everything before the point arrives, though the caller
// reads late. A RST drops what was not taken yet.
func TestResetIsExact(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("how much the peer has taken is known on Linux only")
	}
	const after = 30_000
	p, ended := start(t, fakes.Tokens(10_000))
	p.Inject(faults.On(faults.Truncate{After: faults.Bytes(after), End: faults.EndRST}))
	c := dial(t, p.Addr())
	c.post(t, streamChat)
	call := next(t, ended) // the provider is through before the first byte is read
	a := c.answer(t)
	if len(a.body) != after || call.Achieved.Bytes != after || !errors.Is(a.err, syscall.ECONNRESET) {
		t.Errorf("got %d bytes and %v, the ledger has %d, want %d", len(a.body), a.err, call.Achieved.Bytes, after)
	}
}

// TestEndsOverHTTP2: there are no FIN and RST of one call there.
func TestEndsOverHTTP2(t *testing.T) {
	for name, fault := range map[string]faults.Fault{
		"fin":   faults.Truncate{End: faults.EndFIN},
		"rst":   faults.Truncate{End: faults.EndRST},
		"reset": faults.Reset{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, ended := start(t)
			p.Inject(faults.On(fault).First(1))
			client := sdk(t, p, option.WithHTTPClient(httpClient(t, h2c())), option.WithMaxRetries(0))
			if got := stream(t.Context(), client, ask("hi"), func(string) {}); !strings.Contains(got.err, "stream error") {
				t.Errorf("got %+v, want a stream error", got)
			}
			got := next(t, ended)
			if got.Planned.End != fakes.EndStream || got.Planned != planned(got) {
				t.Errorf("planned %+v, achieved %+v", got.Planned, got.Achieved)
			}
			if got := complete(t.Context(), client, ask("hi")); got.text != sixWords {
				t.Errorf("the next call on the connection: got %+v", got)
			}
			if got := next(t, ended); got.Conn != 1 {
				t.Errorf("the next call came on connection %d, want 1", got.Conn)
			}
		})
	}
}

// TestBodyless: a status without a body gets none.
func TestBodyless(t *testing.T) {
	p, ended := start(t)
	p.Inject(faults.On(faults.Status{Code: http.StatusNoContent, Body: "x"}))
	c := dial(t, p.Addr())
	c.post(t, plainChat)
	c.post(t, plainChat)
	for range 2 {
		if a := c.answer(t); a.status != 204 || len(a.body) != 0 || a.err != nil {
			t.Errorf("got %d, %q, %v", a.status, a.body, a.err)
		}
		if got := next(t, ended); got.Achieved.End != fakes.EndClean || got.Planned != planned(got) {
			t.Errorf("planned %+v, achieved %+v", got.Planned, got.Achieved)
		}
	}
}
