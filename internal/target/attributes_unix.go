//go:build unix && !linux

package target

import "syscall"

// attributes put the process into a group of its own. Only Linux can tie a
// process to the life of another one: here the service goes on running when
// brownout is killed (kill -9) and has to be ended by hand.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
