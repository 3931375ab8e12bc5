package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// defaultReadyTimeout is how long a service may take to get ready.
const defaultReadyTimeout = 60 * time.Second

// Options is what a start needs beside the service.
type Options struct {
	// Lookup gives the values of ${providers.NAME.DIALECT}, ${dependencies.NAME}
	// and ${env.NAME} in the command; nil: none is known.
	Lookup func(name string) (string, bool)
	// Output takes what the service writes to stdout and stderr, as it comes;
	// nil: only the last lines are kept, for errors.
	Output io.Writer
	// Brownout is the path of the running brownout, for commands whose program
	// is "brownout"; "": the one on PATH.
	Brownout string
}

// A Running is a service that got ready. Its methods are safe for concurrent
// use.
type Running struct {
	url     string
	process *process // nil: the service was running before
}

// Start starts the service where it has a command, and waits until it is
// ready. When it is not ready in time, when its process ends first, or when
// ctx ends, nothing is left running and the error says what was seen.
func Start(ctx context.Context, service hypotheses.Service, opts Options) (*Running, error) {
	subject := service.Subject
	switch {
	case subject.URL != "" && subject.Command != nil:
		return nil, errors.New("service: it has both url and command: want exactly one")
	case subject.URL != "":
		r := &Running{url: strings.TrimSuffix(subject.URL, "/")}
		return r, r.awaitReady(ctx, subject)
	case subject.Command != nil:
		return startCommand(ctx, service, opts)
	default:
		return nil, errors.New("service: it has neither url nor command: want exactly one")
	}
}

func startCommand(ctx context.Context, service hypotheses.Service, opts Options) (*Running, error) {
	port, err := freePort()
	if err != nil {
		return nil, fmt.Errorf("service.command: find a free port: %w", err)
	}
	cmd, err := command(service, opts, port)
	if err != nil {
		return nil, err
	}
	r := &Running{url: "http://" + net.JoinHostPort("127.0.0.1", port)}
	if r.process, err = startProcess(cmd, opts.Output); err != nil {
		return nil, fmt.Errorf("service.command.run: start %q: %w; build it, or correct the path", cmd.Args[0], err)
	}
	if err := r.awaitReady(ctx, service.Subject); err != nil {
		return nil, errors.Join(err, r.Stop())
	}
	return r, nil
}

// command is the process to start, with every ${...} replaced.
func command(service hypotheses.Service, opts Options, port string) (*exec.Cmd, error) {
	c := service.Subject.Command
	if len(c.Run) == 0 {
		return nil, errors.New("service.command.run is empty: want a program and its arguments")
	}
	v := variables{port: port, lookup: opts.Lookup}
	args := make([]string, len(c.Run))
	for i, text := range c.Run {
		var err error
		if args[i], err = hypotheses.Expand(text, v.value); err != nil {
			return nil, fmt.Errorf("service.command.run[%d]: %w", i, err)
		}
	}
	if args[0] == "brownout" && opts.Brownout != "" {
		args[0] = opts.Brownout
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = c.Dir
	var err error
	if cmd.Env, err = environment(cmd.Environ(), service, &v); err != nil {
		return nil, err
	}
	if !v.portUsed {
		return nil, errors.New("service.command: ${port} is neither in run nor in env: the service would not know where to listen; pass it, such as run: [./answers, --port, \"${port}\"]")
	}
	return cmd, nil
}

// freePort finds a loopback port that is free now.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), nil
}

// URL is the base address of the service, without a slash at its end.
func (r *Running) URL() string { return r.url }

// PID is the process of a service with a command; 0 for one with a url.
func (r *Running) PID() int {
	if r.process == nil {
		return 0
	}
	return r.process.cmd.Process.Pid
}

// Died is closed when the process of the service ends by itself after it was
// ready. For a service with a url it is nil, which never is ready to receive.
func (r *Running) Died() <-chan struct{} {
	if r.process == nil {
		return nil
	}
	return r.process.died
}

// Cause is how the process ended and what it wrote last; "" while it runs and
// for a service with a url.
func (r *Running) Cause() string {
	if r.process == nil || !r.process.ended() {
		return ""
	}
	return r.process.cause()
}

// Stop ends the process and everything it has started in its group, first
// asking (SIGTERM), after 1.5 s by force, and returns when all of it is gone.
// It may be called twice; for a service with a url it does nothing. The error
// says what is still there, or that Output refused what the service wrote.
func (r *Running) Stop() error {
	if r.process == nil {
		return nil
	}
	return r.process.stop()
}
