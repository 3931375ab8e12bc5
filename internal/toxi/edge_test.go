package toxi_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/toxi"
)

func TestShapingToxicsActOnPooledConnections(t *testing.T) {
	edge, c := open(t, provider(t).URL), client(t)
	mustGet(t, c, edge, "/a")

	apply(t, edge, toxi.Active{Name: "slow", Toxic: faults.Latency{Latency: 300 * time.Millisecond}})
	if took := mustGet(t, c, edge, "/a"); took < 250*time.Millisecond {
		t.Errorf("behind a latency of 300ms an answer took %v", took)
	}
	apply(t, edge)
	mustGet(t, c, edge, "/a")

	// About 330 bytes of which the first 2 s worth of budget is 200.
	apply(t, edge, toxi.Active{Name: "narrow", Toxic: faults.Bandwidth{Rate: 1000}})
	if took := mustGet(t, c, edge, "/a"); took < 250*time.Millisecond {
		t.Errorf("300 bytes at 1000B/s took %v", took)
	}
	apply(t, edge)
	mustGet(t, c, edge, "/a")

	counts := edge.Counts()
	for _, name := range []string{"slow", "narrow"} {
		if got := counts[name]; got.Matched != 1 || got.Fired != 1 || got.Chunks < 1 || got.Bytes < 200 {
			t.Errorf("%s on one pooled connection: %+v", name, got)
		}
	}
}

func TestShapingToxicsChain(t *testing.T) {
	edge, c := open(t, provider(t).URL), client(t)
	apply(t, edge,
		toxi.Active{Name: "far", Toxic: faults.Latency{Latency: 150 * time.Millisecond}},
		toxi.Active{Name: "farther", Toxic: faults.Latency{Latency: 100 * time.Millisecond, Jitter: 10 * time.Millisecond}},
		toxi.Active{Name: "narrow", Toxic: faults.Bandwidth{Rate: 2000}},
	)
	if took := mustGet(t, c, edge, "/a"); took < 340*time.Millisecond { // 240 + 200 bytes or more at 2000B/s
		t.Errorf("behind 150ms, 100ms and 2000B/s an answer took %v", took)
	}
}

func TestBandwidthZeroHoldsUntilLifted(t *testing.T) {
	edge, c := open(t, provider(t).URL), client(t)
	apply(t, edge, toxi.Active{Name: "stuck", Toxic: faults.Bandwidth{}})
	done := make(chan error, 1)
	go func() { _, err := get(c, edge, "/a"); done <- err }()
	await(t, "the answer to be held", func() bool { return edge.Counts()["stuck"].Bytes > 0 })
	select {
	case err := <-done:
		t.Fatalf("an answer passed at a rate of 0: %v", err)
	default:
	}
	apply(t, edge)
	if err := <-done; err != nil {
		t.Errorf("bytes held at a rate of 0 were lost: %v", err)
	}
}

func TestTimeout(t *testing.T) {
	tests := []struct {
		name    string
		timeout time.Duration
		want    error // of a request with a patience of 400ms
	}{
		{"closes the connection", 50 * time.Millisecond, io.EOF},
		{"never closes", 0, context.DeadlineExceeded},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			edge, c := open(t, provider(t).URL), client(t)
			if test.want == context.DeadlineExceeded {
				c.Timeout = 400 * time.Millisecond
			}
			apply(t, edge, toxi.Active{Name: "gone", Toxic: faults.Timeout{Timeout: test.timeout}})
			if took, err := get(c, edge, "/a"); !errors.Is(err, test.want) || took < test.timeout {
				t.Errorf("got %v after %v, want %v", err, took, test.want)
			}
			if got := edge.Counts()["gone"]; got.Matched != 1 || got.Fired != 1 || got.Bytes < 200 {
				t.Errorf("counts: %+v", got)
			}
		})
	}
}

func TestLiftingTimeoutClosesWhatLostBytesOnly(t *testing.T) {
	upstream := provider(t)
	edge := open(t, upstream.URL)
	spared, touched := dial(t, edge), dial(t, edge)
	exchange(t, spared)
	exchange(t, touched)

	apply(t, edge, toxi.Active{Name: "gone", Toxic: faults.Timeout{}})
	request(t, touched)
	await(t, "the answer to be dropped", func() bool { return edge.Counts()["gone"].Fired == 1 })
	apply(t, edge)
	if _, err := touched.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a connection with a hole in its bytes: %v, want EOF", err)
	}
	exchange(t, spared)
}

func TestResetPeer(t *testing.T) {
	edge, c := open(t, provider(t).URL), client(t)
	mustGet(t, c, edge, "/a")
	apply(t, edge, toxi.Active{Name: "reset", Toxic: faults.ResetPeer{}})
	for range 5 {
		if _, err := get(c, edge, "/a"); !errors.Is(err, syscall.ECONNRESET) {
			t.Fatalf("got %v, want ECONNRESET", err)
		}
	}
	if got := edge.Counts()["reset"]; got.Matched < 5 || got.Fired != got.Matched {
		t.Errorf("counts: %+v, want 5 or more, all fired", got)
	}
	apply(t, edge)
	mustGet(t, c, edge, "/a")
}

func TestResetPeerWaits(t *testing.T) {
	edge := open(t, provider(t).URL)
	apply(t, edge, toxi.Active{Name: "reset", Toxic: faults.ResetPeer{Timeout: 150 * time.Millisecond}})
	start := time.Now()
	if _, err := get(client(t), edge, "/a"); !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("got %v, want ECONNRESET", err)
	}
	if took := time.Since(start); took < 150*time.Millisecond {
		t.Errorf("reset after %v, want 150ms after the first bytes", took)
	}
}

func TestDownRefusesAndComesBack(t *testing.T) {
	edge, c := open(t, provider(t).URL), client(t)
	addr := edge.Addr()
	idle := dial(t, edge)
	exchange(t, idle)
	for range 3 {
		apply(t, edge, toxi.Active{Name: "down", Toxic: faults.Down{}})
		if _, err := get(c, edge, "/a"); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatalf("got %v, want ECONNREFUSED", err)
		}
		apply(t, edge)
		mustGet(t, c, edge, "/a")
	}
	if _, err := idle.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("an open connection when the edge goes down: %v, want EOF", err)
	}
	if edge.Addr() != addr {
		t.Errorf("the address moved from %s to %s", addr, edge.Addr())
	}
	if got := edge.Counts()["down"]; got.Fired < 1 {
		t.Errorf("counts: %+v, want the connections that were cut", got)
	}
}

func TestCuttingAndShapingTogether(t *testing.T) {
	edge, c := open(t, provider(t).URL), client(t)
	slow := toxi.Active{Name: "slow", Toxic: faults.Latency{Latency: 200 * time.Millisecond}}
	apply(t, edge, slow, toxi.Active{Name: "reset", Toxic: faults.ResetPeer{}})
	if _, err := get(c, edge, "/a"); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("got %v, want ECONNRESET", err)
	}
	apply(t, edge, slow, toxi.Active{Name: "down", Toxic: faults.Down{}})
	if _, err := get(c, edge, "/a"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v, want ECONNREFUSED", err)
	}
	apply(t, edge, slow)
	if took := mustGet(t, c, edge, "/a"); took < 150*time.Millisecond {
		t.Errorf("behind a latency of 200ms that stayed on an answer took %v", took)
	}
}

func TestShareIsSeeded(t *testing.T) {
	upstream := provider(t)
	fates := func() (fates []bool) {
		edge := open(t, upstream.URL)
		apply(t, edge, toxi.Active{Name: "some", Toxic: faults.ResetPeer{}, Share: 0.4})
		for range 60 {
			c := client(t)
			_, err := get(c, edge, "/a")
			c.CloseIdleConnections()
			fates = append(fates, err != nil)
		}
		got, fired := edge.Counts()["some"], 0
		for _, hit := range fates {
			if hit {
				fired++
			}
		}
		if got.Matched != 60 || got.Fired != fired || fired < 12 || fired > 36 {
			t.Errorf("counts: %+v with %d errors, want 60 matched and about 24 fired", got, fired)
		}
		return fates
	}
	first, second := fates(), fates()
	for i := range first {
		if first[i] != second[i] {
			t.Fatalf("connection %d: touched %v, then %v with the same seed", i+1, first[i], second[i])
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	edge := open(t, provider(t).URL)
	tests := []struct {
		name   string
		active []toxi.Active
		want   string
	}{
		{"no toxic", []toxi.Active{{Name: "x"}}, `toxic "x": <nil>`},
		{"share above 1", []toxi.Active{{Name: "x", Toxic: faults.Latency{}, Share: 1.5}}, "share is 1.5"},
		{"share of down", []toxi.Active{{Name: "x", Toxic: faults.Down{}, Share: 0.5}}, "down takes the whole edge"},
		{"negative time", []toxi.Active{{Name: "x", Toxic: faults.Latency{Latency: -1}}}, "0s or more"},
		{"two of one name", []toxi.Active{{Name: "x", Toxic: faults.Latency{}}, {Name: "x", Toxic: faults.Timeout{}}}, `named "x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := edge.Apply(test.active); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestOpenAndClose(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := toxi.Open(toxi.Config{Name: "primary", Listen: taken.Addr().String(), Upstream: "127.0.0.1:1"}); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("opened on a taken port: %v, want address already in use", err)
	}
	edge := open(t, provider(t).URL)
	for range 2 {
		if err := edge.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := edge.Apply(nil); err == nil {
		t.Error("a closed edge takes toxics")
	}
	again, err := net.Listen("tcp", edge.Addr())
	if err != nil {
		t.Fatalf("the port is not free after Close: %v", err)
	}
	again.Close()
}

func TestConnectionsAreCountedOncePerActivation(t *testing.T) {
	edge, c := open(t, provider(t).URL), client(t)
	slow := toxi.Active{Name: "slow", Toxic: faults.Latency{Latency: time.Millisecond}}
	narrow := toxi.Active{Name: "narrow", Toxic: faults.Bandwidth{Rate: 1 << 20}}
	steps := []struct {
		active []toxi.Active
		want   int // connections matched by slow so far, all of them one pooled connection
	}{
		{[]toxi.Active{slow}, 1},
		{[]toxi.Active{slow, narrow}, 1},
		{[]toxi.Active{narrow}, 1},
		{[]toxi.Active{narrow, slow}, 2},
	}
	for _, step := range steps {
		apply(t, edge, step.active...)
		mustGet(t, c, edge, "/a")
		if got := edge.Counts()["slow"]; got.Matched != step.want || got.Fired != step.want {
			t.Errorf("after %v: %+v, want %d matched and fired", step.active, got, step.want)
		}
	}
}
