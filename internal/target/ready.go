package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

const (
	readyPeriod   = 20 * time.Millisecond // between two looks
	readyPatience = 2 * time.Second       // with one look
)

// awaitReady looks until the service is ready, its process has ended or the
// time is over.
func (r *Running) awaitReady(ctx context.Context, subject hypotheses.Subject) error {
	timeout := defaultReadyTimeout
	if subject.ReadyTimeout != nil {
		timeout = *subject.ReadyTimeout
	}
	look, err := r.probe(subject.Ready)
	if err != nil {
		return err
	}
	timed, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	tick := time.NewTicker(readyPeriod)
	defer tick.Stop()
	for {
		seen := look.once(timed)
		if r.process != nil && r.process.ended() {
			return fmt.Errorf("service at %s: its process ended before it was ready: %s", r.url, r.process.cause())
		}
		if seen == nil {
			return nil
		}
		if timed.Err() == nil {
			look.last = seen
		}
		select {
		case <-timed.Done():
			return r.notReady(ctx, look, timeout)
		case <-r.exited():
		case <-tick.C:
		}
	}
}

// notReady says what was seen and what to do about it.
func (r *Running) notReady(ctx context.Context, look *probe, timeout time.Duration) error {
	if ctx.Err() != nil {
		return fmt.Errorf("service at %s: stopped while waiting for it: %w", r.url, context.Cause(ctx))
	}
	last := "no answer"
	if look.last != nil {
		last = look.last.Error()
	}
	err := fmt.Errorf("service at %s: %s: %s; want %s within %v: correct ready, or raise ready_timeout", r.url, look.what(), last, look.wanted(), timeout)
	if r.process == nil {
		return fmt.Errorf("%w; is it running?", err)
	}
	return fmt.Errorf("%w%s", err, r.process.lastLines())
}

// exited is closed when the process has ended; nil without one.
func (r *Running) exited() <-chan struct{} {
	if r.process == nil {
		return nil
	}
	return r.process.exited
}

// A probe asks a service whether it is ready.
type probe struct {
	method string // "": connecting is enough
	target string // URL, or host:port
	client *http.Client
	last   error // what the last look that was not cut short saw
}

// probe reads the ready entry: "GET /readyz", an absolute URL in place of the
// path, or nothing.
func (r *Running) probe(ready string) (*probe, error) {
	base, err := url.Parse(r.url)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("service.url is %q: want an address such as http://127.0.0.1:8080", r.url)
	}
	if ready == "" {
		return &probe{target: hostPort(base)}, nil
	}
	method, path, ok := strings.Cut(ready, " ")
	if !ok || method != http.MethodGet && method != http.MethodHead {
		return nil, fmt.Errorf("service.ready is %q: want a method and a path, such as GET /readyz", ready)
	}
	target := r.url + path
	if !strings.HasPrefix(path, "/") {
		if absolute, err := url.Parse(path); err != nil || absolute.Host == "" {
			return nil, fmt.Errorf("service.ready is %q: want a path that starts with / or a whole URL", ready)
		}
		target = path
	}
	return &probe{method: method, target: target, client: &http.Client{
		Transport: &http.Transport{DisableKeepAlives: true}, // no proxy of the environment in between
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirect is no 2xx
		},
	}}, nil
}

func hostPort(base *url.URL) string {
	port := base.Port()
	switch {
	case port != "":
	case base.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(base.Hostname(), port)
}

func (p *probe) what() string {
	if p.method == "" {
		return "connect to " + p.target
	}
	return p.method + " " + p.target
}

func (p *probe) wanted() string {
	if p.method == "" {
		return "a connection"
	}
	return "a 2xx"
}

// once looks once; nil means ready.
func (p *probe) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	if p.method == "" {
		var dialer net.Dialer
		conn, err := dialer.DialContext(ctx, "tcp", p.target)
		if err != nil {
			return err
		}
		return conn.Close()
	}
	request, err := http.NewRequestWithContext(ctx, p.method, p.target, nil)
	if err != nil {
		return err
	}
	response, err := p.client.Do(request)
	if err != nil {
		var cause *url.Error
		if errors.As(err, &cause) {
			return cause.Err // the rest repeats method and target
		}
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("answered %s", response.Status)
	}
	return nil
}
