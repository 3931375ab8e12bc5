package fakes

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// A listener numbers the connections it accepts.
type listener struct {
	*net.TCPListener
	accepted atomic.Int64
}

func listen(addr string) (*listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &listener{TCPListener: l.(*net.TCPListener)}, nil
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	return &conn{TCPConn: c, number: l.accepted.Add(1)}, nil
}

// A conn remembers how and when its caller left: net/http reads ahead while a
// call is answered, and the first error that a read or a write meets is kept.
type conn struct {
	*net.TCPConn
	number int64
	left   atomic.Pointer[leave]
}

type leave struct {
	how string // LeftFIN or LeftRST
	at  time.Time
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	if err != nil {
		c.note(err)
	}
	return n, err
}

func (c *conn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	if err != nil {
		c.note(err)
	}
	return n, err
}

// note skips the errors that we cause ourselves: net/http interrupts its own
// read at the end of each call, and closes.
func (c *conn) note(err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed) {
		return
	}
	how := LeftFIN
	if errors.Is(err, syscall.ECONNRESET) || wasReset(c.TCPConn) {
		how = LeftRST
	}
	c.left.CompareAndSwap(nil, &leave{how: how, at: time.Now()})
}

// reset makes the next close a RST. A RST drops what the peer has not taken
// from us yet, so it waits for that a little, and tells how many bytes are
// lost all the same.
func (c *conn) reset(ctx context.Context) (lost int) {
	const patience, period = 250 * time.Millisecond, 200 * time.Microsecond
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(period)
	defer tick.Stop()
	for lost = unsent(c.TCPConn); lost > 0 && time.Now().Before(deadline); lost = unsent(c.TCPConn) {
		select {
		case <-ctx.Done():
			deadline = time.Time{}
		case <-tick.C:
		}
	}
	if err := c.SetLinger(0); err != nil { // closed already: there is nothing to reset
		return lost
	}
	return lost
}

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

func connOf(ctx context.Context) *conn { return ctx.Value(connKey{}).(*conn) }
