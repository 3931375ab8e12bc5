package load

import (
	"context"
	"net"
	"net/http"
	"time"
)

const (
	idleTime = 3 * time.Second // before an unused connection is closed: less than common servers wait, so that none closes under a request
	readSize = 8 << 10         // buffer for reading an answer
)

// newTransport is a client that does nothing by itself: no proxy, no
// compression, no redirects, and no dial that outlives ctx.
func newTransport(ctx context.Context, open, connections int) *http.Transport {
	if connections == 0 {
		connections = open
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	dialer := new(net.Dialer)
	return &http.Transport{
		DialContext: func(dial context.Context, network, address string) (net.Conn, error) {
			dial, cancel := context.WithCancel(dial)
			defer cancel()
			defer context.AfterFunc(ctx, cancel)()
			return dialer.DialContext(dial, network, address)
		},
		Protocols:           protocols,
		DisableCompression:  true,
		MaxConnsPerHost:     connections,
		MaxIdleConnsPerHost: connections,
		IdleConnTimeout:     idleTime,
	}
}
