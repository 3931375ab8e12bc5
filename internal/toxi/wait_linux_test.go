package toxi_test

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/toxi"
)

// blackHole is an address that takes no connection until release is called,
// which waits for one that has been waiting.
func blackHole(t *testing.T) (addr string, release func()) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "black hole")
	defer file.Close()
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil { // room for one connection
		t.Fatal(err)
	}
	listener, err := net.FileListener(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	filler, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { filler.Close() })
	return listener.Addr().String(), func() {
		for range 2 {
			conn, err := listener.Accept()
			if err != nil {
				t.Fatal(err)
			}
			conn.Close()
		}
	}
}

// While Toxiproxy dials an upstream that does not answer it cannot stop. The
// edge says so and goes on without it.
func TestStopThatMissesItsDeadlineIsNoted(t *testing.T) {
	upstream, release := blackHole(t)
	notes := []string{}
	edge, err := toxi.Open(toxi.Config{Name: "vectors", Upstream: upstream, Note: func(text string) { notes = append(notes, text) }})
	if err != nil {
		t.Fatal(err)
	}
	down := toxi.Active{Name: "down", Toxic: faults.Down{}}
	for { // until Toxiproxy has accepted the connection, and dials, when it is stopped
		dial(t, edge)
		apply(t, edge, down)
		if len(notes) > 0 {
			break
		}
		apply(t, edge)
	}
	if want := "edge vectors: toxiproxy did not stop"; !strings.HasPrefix(notes[0], want) {
		t.Errorf("note %q, want %q...", notes[0], want)
	}
	if _, err := net.Dial("tcp", edge.Addr()); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("down, with a stop that is not done: %v, want connection refused", err)
	}
	apply(t, edge)
	release()
	dial(t, edge)
	if err := edge.Close(); err != nil {
		t.Error(err)
	}
}

// A connection whose bytes are due and whose service does not read must wait
// for it, not spin.
func TestWaitingForAReaderTakesNoProcessor(t *testing.T) {
	edge := open(t, flood(t).Addr().String())
	apply(t, edge, toxi.Active{Name: "slow", Toxic: faults.Latency{Latency: time.Millisecond}})
	for range 4 {
		dial(t, edge)
	}
	settled(t, edge, "slow")
	before := processorTime(t)
	time.Sleep(200 * time.Millisecond) // idle time is what is measured
	if used := processorTime(t) - before; used > 100*time.Millisecond {
		t.Errorf("%v of processor time in 200ms in which nothing moves", used)
	}
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// While the edge is down, no connection of another process may take its port
// as source port.
func TestDownKeepsThePort(t *testing.T) {
	other := flood(t).Addr().String()
	edge := open(t, other)
	apply(t, edge, toxi.Active{Name: "down", Toxic: faults.Down{}})
	source, err := net.ResolveTCPAddr("tcp", edge.Addr())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&net.Dialer{LocalAddr: source}).Dial("tcp", other); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("a connection from the port of an edge that is down: %v, want address already in use", err)
	}
}
