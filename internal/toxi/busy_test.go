package toxi_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/toxi"
)

// Clients that time out in the middle of a stream make Toxiproxy's own control
// calls hang; the edge must switch under them as often as it likes.
func TestSwitchingWhileClientsLeaveMidStream(t *testing.T) {
	edge := open(t, provider(t).URL)
	c := client(t)
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	var left atomic.Int64
	for range 20 {
		group.Go(func() {
			for ctx.Err() == nil {
				impatient, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
				request, _ := http.NewRequestWithContext(impatient, "GET", "http://"+edge.Addr()+"/stream", nil)
				if response, err := c.Do(request); err == nil {
					io.Copy(io.Discard, response.Body)
					response.Body.Close()
				}
				cancel()
				left.Add(1)
			}
		})
	}
	toxics := []faults.Toxic{
		faults.Latency{Latency: 100 * time.Millisecond},
		faults.Latency{Latency: 5 * time.Millisecond, Jitter: 5 * time.Millisecond},
		faults.Bandwidth{Rate: 200},
		faults.Timeout{},
		faults.Timeout{Timeout: time.Millisecond},
		faults.ResetPeer{},
		faults.Down{},
	}
	for round := range 10 {
		for _, toxic := range toxics {
			seen, fired := left.Load(), edge.Counts()[toxic.Kind()].Fired
			apply(t, edge, toxi.Active{Name: toxic.Kind(), Toxic: toxic})
			await(t, "a client to leave", func() bool { return left.Load() > seen })
			if toxic != faults.Toxic(faults.Down{}) { // which no connection may be there to feel
				await(t, toxic.Kind()+" to touch a connection", func() bool { return edge.Counts()[toxic.Kind()].Fired > fired })
			}
		}
		if round%2 == 0 {
			apply(t, edge)
		}
	}
	stop()
	group.Wait()
	apply(t, edge)
	mustGet(t, client(t), edge, "/a")
}

// A client that leaves in the middle of a stream behind a toxic must leave
// nothing behind while the edge stays open: a run has thousands of them.
func TestLeavingMidStreamLeavesNothingBehind(t *testing.T) {
	edge, c := open(t, provider(t).URL), client(t)
	mustGet(t, c, edge, "/a")
	c.CloseIdleConnections()
	for _, toxic := range []faults.Toxic{faults.Latency{Latency: 10 * time.Second}, faults.Bandwidth{Rate: 1}, faults.Timeout{}} {
		before := runtime.NumGoroutine()
		apply(t, edge, toxi.Active{Name: toxic.Kind(), Toxic: toxic})
		ctx, leave := context.WithCancel(t.Context())
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() {
				request, _ := http.NewRequestWithContext(ctx, "GET", "http://"+edge.Addr()+"/stream", nil)
				if response, err := c.Do(request); err == nil {
					response.Body.Close()
				}
			})
		}
		await(t, "all streams to be held", func() bool { return edge.Counts()[toxic.Kind()].Fired == 10 })
		leave()
		group.Wait()
		await(t, "the goroutines behind "+toxic.Kind()+" to end", func() bool { return runtime.NumGoroutine() <= before })
	}
}

// flood writes without end on every connection, and reads nothing.
func flood(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer conn.Close()
				for block := make([]byte, 32<<10); ; {
					if _, err := conn.Write(block); err != nil {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() { listener.Close(); group.Wait() })
	return listener
}

// settled waits until nothing moves any more and returns how many bytes the
// toxic has seen by then.
func settled(t *testing.T, edge *toxi.Edge, name string) int64 {
	t.Helper()
	var last int64
	quiet := 0
	await(t, "the flood to stand", func() bool {
		now := edge.Counts()[name].Bytes
		if now != last || now == 0 {
			last, quiet = now, 0
		}
		quiet++
		return quiet > 100
	})
	return last
}

// A client that does not read must block neither a switch nor a new
// connection, and what waits for it is bounded.
func TestClientThatDoesNotReadBlocksNothing(t *testing.T) {
	edge := open(t, flood(t).Addr().String())
	apply(t, edge, toxi.Active{Name: "slow", Toxic: faults.Latency{Latency: time.Millisecond}})
	lazy := dial(t, edge)
	if held := settled(t, edge, "slow"); held > 64<<20 {
		t.Errorf("%d bytes were taken from the provider for a client that does not read", held)
	}
	for range 50 {
		apply(t, edge, toxi.Active{Name: "narrow", Toxic: faults.Bandwidth{Rate: 1 << 20}})
		apply(t, edge)
	}
	if _, err := io.ReadFull(dial(t, edge), make([]byte, 100<<10)); err != nil {
		t.Errorf("a new connection beside one that does not read: %v", err)
	}
	if _, err := io.ReadFull(lazy, make([]byte, 10<<20)); err != nil {
		t.Errorf("the client starts to read: %v", err)
	}
	apply(t, edge, toxi.Active{Name: "down", Toxic: faults.Down{}})
	apply(t, edge)
}

// Both ways are full and then both ends leave: nothing may stay behind.
func TestLeaveWithBothWaysFull(t *testing.T) {
	edge := open(t, flood(t).Addr().String())
	conn := dial(t, edge)
	conn.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
	for block := make([]byte, 32<<10); ; {
		if _, err := conn.Write(block); err != nil {
			break
		}
	}
	conn.Close()
	// goleak and the Close of the edge, which waits for its links, do the rest.
}
