//go:build !linux

package fakes

import "net"

// unsent is not known here: a reset may drop bytes that were written shortly
// before it.
func unsent(*net.TCPConn) int { return 0 }

// wasReset is not known here: a caller that resets the connection while it is
// written to may be taken for one that closes it.
func wasReset(*net.TCPConn) bool { return false }
