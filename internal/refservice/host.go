package refservice

import (
	"context"
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
	cancel context.CancelFunc // ends every request
	served chan struct{}      // closed when no connection is accepted any more
	conns  sync.WaitGroup     // connections, their handlers included
}

func serve(address string, handler http.Handler) (*host, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	h := &host{url: "http://" + listener.Addr().String(), cancel: cancel, served: make(chan struct{})}
	h.server = &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
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

// close ends running requests and returns when their handlers have.
func (h *host) close() error {
	h.cancel()
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
		return errors.Join(err, fmt.Errorf("%s: a request still runs %v after it was cancelled", h.url, closeWithin))
	}
}
