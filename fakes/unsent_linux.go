package fakes

import (
	"net"

	"golang.org/x/sys/unix"
)

// unsent is the number of bytes that the peer has not acknowledged.
func unsent(c *net.TCPConn) int {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0
	}
	n := 0
	_ = raw.Control(func(fd uintptr) { // fails on a closed connection: nothing is unsent then
		n, err = unix.IoctlGetInt(int(fd), unix.SIOCOUTQ)
	})
	if err != nil {
		return 0
	}
	return n
}
