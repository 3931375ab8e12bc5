package toxi

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// A proxy is one Toxiproxy proxy from its start to its stop. Its chains are
// never changed in between.
type proxy struct {
	control *control
	inner   *toxiproxy.Proxy
	cut     chan struct{}  // closed when the proxy stops: all connections end
	pipes   sync.WaitGroup // links that are open

	mu   sync.Mutex
	half *connection // a connection whose second link is still to come
}

// startProxy starts a proxy with the switch toxic in both directions.
// resetting closes its connections with RST instead of FIN.
func startProxy(c *control, name, listen, upstream string, resetting bool) (*proxy, error) {
	register()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	p := &proxy{control: c, inner: toxiproxy.NewProxy(server, name, listen, upstream), cut: make(chan struct{})}
	for _, upward := range []bool{true, false} {
		if err := p.addSwitch(upward); err != nil {
			return nil, err
		}
	}
	if resetting {
		// Toxiproxy sets linger 0 on the connections of a proxy that has a
		// reset_peer toxic, whatever its toxicity. That is all it is here for:
		// the switch, which knows the share and the plan, closes them.
		if err := p.add(`{"type": "reset_peer", "stream": "downstream", "toxicity": 0}`); err != nil {
			return nil, err
		}
	}
	if err := p.inner.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *proxy) addSwitch(upward bool) error {
	direction := "downstream"
	if upward {
		direction = "upstream"
	}
	w, err := p.inner.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(`{"type": %q, "stream": %q}`, switchType, direction)))
	if err != nil {
		return fmt.Errorf("add toxic %s: %w", switchType, err)
	}
	s, ok := w.Toxic.(*switchToxic)
	if !ok {
		return fmt.Errorf("add toxic %s: Toxiproxy made a %T of it", switchType, w.Toxic)
	}
	s.proxy, s.upward = p, upward
	return nil
}

func (p *proxy) add(toxic string) error {
	if _, err := p.inner.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		return fmt.Errorf("add toxic %s: %w", toxic, err)
	}
	return nil
}

// connection gives the two links of a connection the same value. Toxiproxy
// starts the links of one connection one after the other, on the goroutine
// that accepts, so two calls in a row belong together.
func (p *proxy) connection() *connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pipes.Add(1)
	if c := p.half; c != nil {
		p.half = nil
		return c
	}
	p.half = &connection{
		proxy:  p,
		number: p.control.connect(),
		left:   make(chan struct{}),
		ended:  make(chan struct{}),
	}
	return p.half
}

// stop closes the port and all connections and waits until nothing of them is
// left, up to the deadline; then it reports false, and Toxiproxy may still be
// in a dial of its own. The port is free even so.
func (p *proxy) stop(deadline time.Duration) bool {
	close(p.cut)
	done := make(chan struct{})
	go func() {
		p.inner.Stop()
		p.pipes.Wait()
		close(done)
	}()
	timer := time.NewTimer(deadline)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
