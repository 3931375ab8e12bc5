package toxi

import (
	"fmt"
	"sync"
	"time"
)

// stopDeadline is how long an edge waits for Toxiproxy to stop a proxy. It
// takes longer only while Toxiproxy dials an upstream that does not answer.
const stopDeadline = 500 * time.Millisecond

// Config is what an edge is made of.
type Config struct {
	Name     string            // of the provider or dependency, for errors and notes
	Listen   string            // host:port for the service; "": a free loopback port
	Upstream string            // host:port of the provider or dependency
	Seed     uint64            // of the share of connections and of jitter
	Note     func(text string) // told about trouble of the infrastructure, which says nothing about the service; nil: nobody is
}

// An Edge is one address through which the service reaches a provider or a
// dependency. All methods are safe for concurrent use.
type Edge struct {
	cfg     Config
	addr    string
	port    port
	control *control

	mu     sync.Mutex // held while the proxy is replaced
	mode   mode
	proxy  *proxy // nil while down
	closed bool
}

// Open starts an edge without a toxic.
func Open(cfg Config) (*Edge, error) {
	if cfg.Listen == "" {
		cfg.Listen = "127.0.0.1:0"
	}
	if cfg.Note == nil {
		cfg.Note = func(string) {}
	}
	held, err := holdPort(cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("edge %s: listen on %s: %w", cfg.Name, cfg.Listen, err)
	}
	e := &Edge{cfg: cfg, addr: held.addr, port: held, control: newControl(cfg.Seed)}
	if err := e.start(); err != nil {
		held.release()
		return nil, err
	}
	return e, nil
}

// Addr is the host:port that the service uses. It stays the same until Close.
func (e *Edge) Addr() string { return e.addr }

// Apply replaces the set of toxics that are on; nil lifts them all. Shaping
// toxics change what happens on open connections at once. When cutting ones go
// on or off, all open connections are closed, and where that takes longer than
// half a second, Note is told and the edge goes on without them.
//
// Lifting a timeout closes the connections whose bytes it has dropped. While a
// reset_peer with a share is on, a connection that it spares is closed with RST
// too when the provider closes it: Toxiproxy knows reset or not per proxy only.
//
// On an error nothing was changed, unless the port could not be opened again:
// then connecting is refused until an Apply succeeds.
func (e *Edge) Apply(active []Active) error {
	if err := check(active); err != nil {
		return fmt.Errorf("edge %s: %w", e.cfg.Name, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return fmt.Errorf("edge %s is closed: want Apply before Close", e.cfg.Name)
	}
	want, cut := modeOf(active), 0
	if want != e.mode {
		cut = e.stop()
	}
	e.mode = want
	e.control.set(active, cut)
	if want == modeDown || e.proxy != nil {
		return nil
	}
	return e.start()
}

// Counts is what each toxic has done since Open, by name.
func (e *Edge) Counts() map[string]Count { return e.control.snapshot() }

// Close closes the port and all connections. It takes at most half a second
// and may be called twice. When Toxiproxy is not done by then, the error says
// so.
func (e *Edge) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	defer e.port.release()
	if p := e.proxy; p != nil && !p.stop(stopDeadline) {
		return fmt.Errorf("edge %s: %s", e.cfg.Name, lateStop)
	}
	return nil
}

// start opens the port with a fresh proxy.
func (e *Edge) start() error {
	p, err := startProxy(e.control, e.cfg.Name, e.addr, e.cfg.Upstream, e.mode == modeReset)
	if err != nil {
		return fmt.Errorf("edge %s: listen on %s: %w", e.cfg.Name, e.addr, err)
	}
	e.proxy = p
	return nil
}

const lateStop = "toxiproxy did not stop within 500ms: it still dials an upstream that does not answer, or waits for a connection"

// stop closes the port and reports how many connections it cut.
func (e *Edge) stop() (cut int) {
	if e.proxy == nil {
		return 0
	}
	cut = e.control.connections()
	if !e.proxy.stop(stopDeadline) {
		e.cfg.Note(fmt.Sprintf("edge %s: %s; a fresh proxy replaces it", e.cfg.Name, lateStop))
	}
	e.proxy = nil
	return cut
}
