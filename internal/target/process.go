package target

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

const (
	grace      = 1500 * time.Millisecond // between asking a process to end and forcing it
	outputWait = 300 * time.Millisecond  // for the end of the output of processes that were killed
)

// A process is a running command and the group of what it has started.
type process struct {
	cmd    *exec.Cmd
	output *tail
	exited chan struct{} // closed when the process has ended and its group was killed
	died   chan struct{} // closed after exited, when it ended by itself
	state  string        // how it ended; valid when exited is closed

	stopping chan struct{} // closed when stop was called
	stopOnce sync.Once
	stopErr  error
}

// startProcess starts the command in a group of its own.
func startProcess(cmd *exec.Cmd, output io.Writer) (*process, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = write, write
	cmd.SysProcAttr = attributes()
	p := &process{
		cmd:      cmd,
		output:   &tail{out: output},
		exited:   make(chan struct{}),
		died:     make(chan struct{}),
		stopping: make(chan struct{}),
	}
	started := make(chan error)
	go p.run(read, write, started)
	if err := <-started; err != nil {
		read.Close()
		return nil, err
	}
	return p, nil
}

// run starts the process and waits for its end on one thread: a process that
// is to die with its parent dies with the thread that started it.
func (p *process) run(read, write *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	write.Close()
	started <- err
	if err != nil {
		return
	}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(p.output, read) // it ends when the process does, or is ended below
	}()
	p.wait()
	p.awaitOutput(copied)
	read.Close() // ends the copying where it has not ended
	<-copied
	p.report()
}

// wait returns when the process and its group have ended.
func (p *process) wait() {
	err := p.cmd.Wait()
	p.state = "exit status 0"
	if err != nil {
		p.state = err.Error()
	}
	killGroup(p.cmd.Process) // what it has started must not outlive it
}

// awaitOutput waits for the end of the output, which comes when the last
// process that has it is gone. One that has left the group may keep it open, so
// the wait has an end.
func (p *process) awaitOutput(copied <-chan struct{}) {
	timer := time.NewTimer(outputWait)
	defer timer.Stop()
	select {
	case <-copied:
	case <-timer.C:
	}
}

// report tells that the process has ended, and whether it did so by itself.
func (p *process) report() {
	select {
	case <-p.stopping:
		close(p.exited)
	default:
		close(p.exited)
		close(p.died)
	}
}

func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// stop ends the process and its group.
func (p *process) stop() error {
	p.stopOnce.Do(func() {
		close(p.stopping)
		p.stopErr = p.end()
	})
	return p.stopErr
}

func (p *process) end() error {
	if !p.ended() {
		terminateGroup(p.cmd.Process)
	}
	if !p.awaitExit(grace) {
		killGroup(p.cmd.Process)
	}
	if !p.awaitExit(grace + outputWait) {
		return fmt.Errorf("process %d of the service does not end, even by force: end it by hand", p.cmd.Process.Pid)
	}
	return p.output.failure()
}

func (p *process) awaitExit(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// cause is how the process ended, and what it wrote last.
func (p *process) cause() string { return p.state + p.lastLines() }

func (p *process) lastLines() string {
	lines := p.output.last()
	if lines == "" {
		return "; it wrote nothing"
	}
	return "; its last output:\n" + lines
}
