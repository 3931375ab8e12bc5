package refservice

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// closeWithin bounds how long the end of a server waits for its handlers.
const closeWithin = 5 * time.Second

// A host is one HTTP server, with what it takes to end it.
type host struct {
	url    string
	server *http.Server
	served chan struct{}  // closed when no connection is accepted any more
	conns  sync.WaitGroup // connections, their handlers included
}

func serve(address string, handler http.Handler) (*host, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	h := &host{url: "http://" + listener.Addr().String(), served: make(chan struct{})}
	h.server = &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ConnState:         h.count,
	}
	go func() {
		defer close(h.served)
		_ = h.server.Serve(listener) // always an error; close is its only cause
	}()
	return h, nil
}

// count keeps conns. A connection is new in the goroutine that accepts, and
// closed when its handler has returned.
func (h *host) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		h.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		h.conns.Done()
	}
}

// close closes every connection, which cancels the requests on them, and
// returns when their handlers have.
func (h *host) close() error {
	err := h.server.Close()
	<-h.served
	done := make(chan struct{})
	go func() {
		h.conns.Wait()
		close(done)
	}()
	select {
	case <-done:
		return err
	case <-time.After(closeWithin):
		return errors.Join(err, fmt.Errorf("%s: a request still runs %v after its connection was closed", h.url, closeWithin))
	}
}
