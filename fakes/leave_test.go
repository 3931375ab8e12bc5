package fakes_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

func fin(t *testing.T, c *raw) {
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func rst(t *testing.T, c *raw) {
	if err := c.Conn.(*net.TCPConn).SetLinger(0); err != nil {
		t.Error(err)
	}
	fin(t, c)
}

// TestCallerLeaves: the ledger knows who left first, how, and when.
func TestCallerLeaves(t *testing.T) {
	long := faults.SlowFirstToken{Delay: time.Hour}
	early := faults.SlowFirstToken{Delay: time.Hour, Headers: faults.HeadersEarly}
	tests := []struct {
		name  string
		fault faults.Fault
		body  string
		until string // the caller reads this far; "": it leaves when the fault fired
		end   fakes.End
	}{
		{"before the headers", long, plainChat, "", fakes.EndCaller},
		{"after the headers", early, streamChat, "\r\n\r\n", fakes.EndCaller},
		{"mid-stream, waiting", faults.SlowTokens{Gap: time.Hour}, streamChat, "primary-1", fakes.EndCaller},
		{"in a stall that would end", faults.Stall{Resume: time.Hour}, streamChat, "primary-3", fakes.EndCaller},
		{"in a stall", faults.Stall{}, streamChat, "primary-3", fakes.EndHang},
		{"in a stall of a whole answer", faults.Stall{}, plainChat, "chat.completion", fakes.EndHang},
		{"in a stall with comments", faults.Stall{KeepAlive: time.Millisecond}, streamChat, "keep-alive", fakes.EndHang},
		{"in a hang", faults.Hang{}, plainChat, "", fakes.EndHang},
	}
	leaves := map[string]func(*testing.T, *raw){fakes.LeftFIN: fin, fakes.LeftRST: rst}
	for _, test := range tests {
		for how, leave := range leaves {
			t.Run(test.name+"/"+how, func(t *testing.T) {
				t.Parallel()
				p, ended := start(t)
				inj := p.Inject(faults.On(test.fault))
				c := dial(t, p.Addr())
				c.post(t, test.body)
				if test.until == "" {
					until(t, "the fault", func() bool { return inj.Counts()[0].Fired == 1 })
				}
				readUntil(t, c, test.until)
				before := time.Now()
				leave(t, c)
				got := next(t, ended)
				if got.HungUp != fakes.Caller || got.HungUpHow != how || got.HungUpAt.Before(before) || got.HungUpAt.After(got.EndedAt) {
					t.Errorf("got %q by %q at %v, want caller by %q after %v", got.HungUp, got.HungUpHow, got.HungUpAt, how, before)
				}
				if got.Achieved.End != test.end {
					t.Errorf("end: got %q, want %q", got.Achieved.End, test.end)
				}
			})
		}
	}
}

func readUntil(t *testing.T, c *raw, text string) {
	t.Helper()
	part := make([]byte, 4096)
	for seen := ""; !strings.Contains(seen, text); {
		n, err := c.in.Read(part)
		if err != nil {
			t.Fatal(err)
		}
		seen += string(part[:n])
	}
}

// TestCallerStopsReading: the provider is blocked in a write when the caller
// leaves.
func TestCallerStopsReading(t *testing.T) {
	p, ended := start(t, fakes.Tokens(500_000))
	c := dial(t, p.Addr())
	c.post(t, streamChat)
	readUntil(t, c, "primary-1")
	rst(t, c)
	if got := next(t, ended); got.HungUp != fakes.Caller || got.HungUpHow != fakes.LeftRST || got.Achieved.Bytes >= got.Planned.Bytes {
		t.Errorf("got %q by %q after %d of %d bytes", got.HungUp, got.HungUpHow, got.Achieved.Bytes, got.Planned.Bytes)
	}
}

// TestCallerLeavesWhileSending: half a request is a call, without an answer.
func TestCallerLeavesWhileSending(t *testing.T) {
	p, ended := start(t)
	c := dial(t, p.Addr())
	request := postText(plainChat)
	if _, err := io.WriteString(c, request[:len(request)-10]); err != nil {
		t.Fatal(err)
	}
	until(t, "the call", func() bool { return p.InFlight() == 1 })
	fin(t, c)
	if got := next(t, ended); got.API != "chat" || got.Status != 0 || got.HungUp != fakes.Caller || got.Achieved.End != fakes.EndCaller || got.BodyHash != "" {
		t.Errorf("got %+v", got)
	}
}

// TestCallerLeavesAStream: over HTTP/2 a caller leaves one stream, and the
// connection stays.
func TestCallerLeavesAStream(t *testing.T) {
	p, ended := start(t)
	p.Inject(faults.On(faults.Stall{}).First(1))
	client := httpClient(t, h2c())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.OpenAI()+"/chat/completions", strings.NewReader(streamChat))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 300)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if got := next(t, ended); got.HungUp != fakes.Caller || got.HungUpHow != fakes.LeftStreamReset {
		t.Errorf("got %q by %q", got.HungUp, got.HungUpHow)
	}
	again, err := client.Post(p.OpenAI()+"/chat/completions", "application/json", strings.NewReader(plainChat))
	if err != nil {
		t.Fatal(err)
	}
	again.Body.Close()
	if got := next(t, ended); got.Conn != 1 {
		t.Errorf("the next call came on connection %d, want 1", got.Conn)
	}
}

// TestCloseEndsHungCalls: nothing holds Close up, and nobody is blamed for it.
func TestCloseEndsHungCalls(t *testing.T) {
	p, ended := start(t)
	inj := p.Inject(faults.On(faults.Hang{}).First(20), faults.On(faults.SlowFirstToken{Delay: time.Hour}))
	for range 21 {
		dial(t, p.Addr()).post(t, plainChat)
	}
	until(t, "the faults", func() bool { return inj.Counts()[1].Fired == 1 })
	p.Close()
	p.Close()
	ends := map[fakes.End]int{}
	for range 21 {
		c := next(t, ended)
		ends[c.Achieved.End]++
		if c.HungUp != "" {
			t.Errorf("call %d: %q hung up, want nobody", c.ID, c.HungUp)
		}
	}
	if ends[fakes.EndHang] != 20 || ends[fakes.EndFIN] != 1 || p.InFlight() != 0 || len(p.Calls()) != 21 {
		t.Errorf("ends: got %v, in flight %d, recorded %d", ends, p.InFlight(), len(p.Calls()))
	}
}
