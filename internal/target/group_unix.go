//go:build unix

package target

import (
	"os"
	"syscall"
)

// terminateGroup asks the process and all of its group to end.
func terminateGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGTERM) }

// killGroup ends what is left of the process and its group.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
