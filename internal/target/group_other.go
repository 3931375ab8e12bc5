//go:build !unix

package target

import (
	"os"
	"syscall"
)

// attributes are the system's own: there are no process groups here, so the
// service goes on running when brownout is killed.
func attributes() *syscall.SysProcAttr { return nil }

// terminateGroup ends the process: it cannot be asked, and what it has started
// cannot be found.
func terminateGroup(p *os.Process) { p.Kill() }

// killGroup ends the process.
func killGroup(p *os.Process) { p.Kill() }
