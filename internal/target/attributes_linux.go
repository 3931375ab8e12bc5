package target

import "syscall"

// attributes put the process into a group of its own and make it die with
// brownout, however brownout ends. What the process has started itself does
// not die with it then: only [Running.Stop] reaches the whole group.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
