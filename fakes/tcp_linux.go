package fakes

import (
	"net"

	"golang.org/x/sys/unix"
)

// unsent is the number of bytes that the peer has not acknowledged.
func unsent(c *net.TCPConn) (n int) {
	control(c, func(fd int) {
		if queued, err := unix.IoctlGetInt(fd, unix.SIOCOUTQ); err == nil {
			n = queued
		}
	})
	return n
}

// wasReset reports that the peer has reset the connection. The kernel tells
// that once, to a read or to a write that is going on: the other of the two
// sees a plain end.
func wasReset(c *net.TCPConn) (yes bool) {
	const closed = 7 // TCP_CLOSE; after a FIN of the peer it is TCP_CLOSE_WAIT
	control(c, func(fd int) {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		yes = err == nil && info.State == closed
	})
	return yes
}

// control does nothing on a connection that is closed already.
func control(c *net.TCPConn, f func(fd int)) {
	if raw, err := c.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { f(int(fd)) })
	}
}
