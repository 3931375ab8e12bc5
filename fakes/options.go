package fakes

import (
	"net/http"
	"time"
)

// An Option changes how a provider is started.
type Option func(*config)

type config struct {
	listen    string
	name      string
	seed      uint64
	header    string
	observe   func(Call)
	first     time.Duration
	gap       time.Duration
	words     int
	ledger    int
	bodyLimit int64
}

func newConfig(options []Option) config {
	c := config{
		listen:    "127.0.0.1:0",
		name:      "provider",
		header:    "X-Request-Id",
		observe:   func(Call) {},
		words:     16,
		ledger:    100_000,
		bodyLimit: 16 << 20,
	}
	for _, option := range options {
		option(&c)
	}
	return c
}

// Listen sets the address; the default is 127.0.0.1:0, a free port.
func Listen(addr string) Option { return func(c *config) { c.listen = addr } }

// Name names the provider in its answers and in the ledger; the default is
// "provider".
func Name(name string) Option { return func(c *config) { c.name = name } }

// Seed decides the shares and the quantiles; the default is 0.
func Seed(seed uint64) Option { return func(c *config) { c.seed = seed } }

// AttributionHeader names the request header that carries the id of the user
// request; the default is X-Request-ID.
func AttributionHeader(name string) Option {
	return func(c *config) { c.header = http.CanonicalHeaderKey(name) }
}

// Observe has f called once per call when it has ended, before the caller can
// see the end. It is called from the goroutine of the call, so it runs
// concurrently with itself and holds the answer up; it must not call
// [Provider.Close].
func Observe(f func(Call)) Option { return func(c *config) { c.observe = f } }

// Pace is the healthy wait before the first token and between two tokens; the
// default is none. An answer that is not streamed comes after the sum.
func Pace(first, gap time.Duration) Option {
	return func(c *config) { c.first, c.gap = first, gap }
}

// Tokens is the length of an answer that the call does not limit; the default
// is 16.
func Tokens(n int) Option { return func(c *config) { c.words = n } }

// LedgerSize is how many ended calls the ledger keeps; the default is 100,000.
// The oldest make room, and are counted.
func LedgerSize(n int) Option { return func(c *config) { c.ledger = n } }

// BodyLimit is the longest request body in bytes; the default is 16 MiB. A
// longer one is answered with the dialect's 413.
func BodyLimit(n int64) Option { return func(c *config) { c.bodyLimit = n } }
