package fakes

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/brownout-chaos/brownout/fakes/dialect"
)

// A Provider is a running fake provider.
type Provider struct {
	cfg      config
	dialects []dialect.Dialect
	addr     string
	server   *http.Server
	served   chan struct{} // closed when the server has stopped accepting
	buffers  sync.Pool

	rules    rules
	attempts *attempts
	ledger   *ledger
}

// NewProvider starts a provider and panics when it cannot listen, as httptest
// does. The caller closes it.
func NewProvider(options ...Option) *Provider {
	p, err := Start(options...)
	if err != nil {
		panic("fakes: " + err.Error())
	}
	return p
}

// Start starts a provider. The caller closes it.
func Start(options ...Option) (*Provider, error) {
	cfg := newConfig(options)
	l, err := listen(cfg.listen)
	if err != nil {
		return nil, fmt.Errorf("listen for provider %s: %w", cfg.name, err)
	}
	p := &Provider{
		cfg:      cfg,
		dialects: Dialects(),
		addr:     dialable(l.Addr().(*net.TCPAddr)),
		served:   make(chan struct{}),
		buffers:  sync.Pool{New: func() any { return new([]byte) }},
		rules:    rules{seed: cfg.seed},
		attempts: newAttempts(cfg.ledger),
		ledger:   newLedger(cfg.ledger),
	}
	p.server = newServer(http.HandlerFunc(p.serve))
	go func() {
		defer close(p.served)
		_ = p.server.Serve(l) // it ends with ErrServerClosed when the provider closes
	}()
	return p, nil
}

// newServer has no WriteTimeout: it would cut long streams, and the cut would
// look like a caller that leaves.
func newServer(h http.Handler) *http.Server {
	const maxStreams = 10_000 // per HTTP/2 connection: the limit must be the caller's, not ours
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:           h,
		Protocols:         protocols,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		ReadHeaderTimeout: 30 * time.Second,
		ConnContext:       withConn,
	}
}

// dialable is the address at which a client of this machine reaches the
// listener.
func dialable(a *net.TCPAddr) string {
	if a.IP.IsUnspecified() {
		return fmt.Sprintf("127.0.0.1:%d", a.Port)
	}
	return a.String()
}

// Close ends every call at once, the hung ones too, and returns when their
// records are in the ledger. It may be called again.
func (p *Provider) Close() {
	p.ledger.close()
	_ = p.server.Close() // the listener's own error: nothing is left to do about it
	<-p.served
	p.ledger.wait()
}

// Addr is the address at which the provider is reached from this machine:
// host:port.
func (p *Provider) Addr() string { return p.addr }

// URL is the root of the provider: http://host:port.
func (p *Provider) URL() string { return "http://" + p.addr }

// OpenAI is the base URL for clients of OpenAI.
func (p *Provider) OpenAI() string {
	base, _ := p.BaseURL("openai")
	return base
}

// BaseURL is the base URL for clients of a dialect; false where no dialect has
// the name.
func (p *Provider) BaseURL(name string) (string, bool) {
	for _, d := range p.dialects {
		if d.Name() == name {
			return p.URL() + d.BasePath(), true
		}
	}
	return "", false
}

// Calls are the ended calls that the ledger holds, in the order of their
// arrival.
func (p *Provider) Calls() []Call { return p.ledger.list() }

// InFlight is the number of calls that have not ended.
func (p *Provider) InFlight() int { return int(p.ledger.counters().InFlight) }

// Counters are the exact counts of calls.
func (p *Provider) Counters() Counters { return p.ledger.counters() }

// Reset forgets the ended calls, their counts and the attempt groups. Calls in
// flight are recorded when they end; injected rules and their counts stay.
func (p *Provider) Reset() {
	p.ledger.reset()
	p.attempts.reset()
}
