//go:build !linux

package toxi

import "net"

// A port is the address of an edge. Elsewhere than on Linux it only finds a
// free port: nothing keeps others from taking it while the edge is down, which
// makes the Apply that brings it up again fail.
type port struct{ addr string }

func holdPort(address string) (port, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return port{}, err
	}
	return port{addr: listener.Addr().String()}, listener.Close()
}

// release does nothing: nothing is held.
func (port) release() {}
