package toxi

import (
	"net"
	"os"
	"syscall"
)

// A port keeps an address for an edge while no proxy listens on it. It is a
// socket that is bound and does not listen: connecting is refused, nobody gets
// the port as the source port of a connection, and a listener may still be
// opened beside it.
type port struct {
	addr string // with the port that the system chose where 0 was asked for
	fd   int
}

func holdPort(address string) (port, error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return port{}, err
	}
	family, where := socketAddress(resolved)
	fd, err := syscall.Socket(family, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return port{}, os.NewSyscallError("socket", err)
	}
	p := port{fd: fd}
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		p.release()
		return port{}, os.NewSyscallError("setsockopt", err)
	}
	if err := syscall.Bind(fd, where); err != nil {
		p.release()
		return port{}, os.NewSyscallError("bind", err)
	}
	bound, err := syscall.Getsockname(fd)
	if err != nil {
		p.release()
		return port{}, os.NewSyscallError("getsockname", err)
	}
	switch b := bound.(type) {
	case *syscall.SockaddrInet4:
		resolved.Port = b.Port
	case *syscall.SockaddrInet6:
		resolved.Port = b.Port
	}
	p.addr = resolved.String()
	return p, nil
}

// socketAddress takes an address without a host as every IPv4 address.
func socketAddress(a *net.TCPAddr) (family int, where syscall.Sockaddr) {
	if a.IP == nil {
		a.IP = net.IPv4zero
	}
	if ip := a.IP.To4(); ip != nil {
		return syscall.AF_INET, &syscall.SockaddrInet4{Port: a.Port, Addr: [4]byte(ip)}
	}
	return syscall.AF_INET6, &syscall.SockaddrInet6{Port: a.Port, Addr: [16]byte(a.IP.To16())}
}

// release gives the port back.
func (p port) release() { syscall.Close(p.fd) }
