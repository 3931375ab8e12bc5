package target_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/internal/target"
)

func TestStopLeavesNothing(t *testing.T) {
	for _, role := range []string{"service", "stubborn service"} {
		t.Run(role, func(t *testing.T) {
			running := start(t, service(role), target.Options{})
			child, err := strconv.Atoi(get(t, running.URL()+"/child"))
			if err != nil {
				t.Fatal(err)
			}
			if !alive(running.PID()) || !alive(child) {
				t.Fatal("the service or its child does not run")
			}
			if err := running.Stop(); err != nil {
				t.Fatal(err)
			}
			if alive(running.PID()) {
				t.Errorf("process %d is still there", running.PID())
			}
			awaitEnd(t, child)
			listener, err := net.Listen("tcp", strings.TrimPrefix(running.URL(), "http://"))
			if err != nil {
				t.Fatalf("the port is not free: %v", err)
			}
			listener.Close()
			if err := running.Stop(); err != nil {
				t.Errorf("a second stop: %v", err)
			}
		})
	}
}

// A service that dies must take its children along as well.
func TestDeathTakesChildrenAlong(t *testing.T) {
	running := start(t, service("service"), target.Options{})
	child, err := strconv.Atoi(get(t, running.URL()+"/child"))
	if err != nil {
		t.Fatal(err)
	}
	process, _ := os.FindProcess(running.PID())
	process.Kill()
	<-running.Died()
	awaitEnd(t, child)
	if want := "signal: killed"; !strings.HasPrefix(running.Cause(), want) {
		t.Errorf("cause %q, want %q", running.Cause(), want)
	}
}

// A harness that is killed (kill -9) must leave no service behind, and the end
// of a thread of the harness must not end the service.
func TestKilledHarnessLeavesNoService(t *testing.T) {
	harness := exec.Command(os.Args[0])
	harness.Env = append(os.Environ(), childRole+"=harness")
	output, err := harness.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Start(); err != nil {
		t.Fatal(err)
	}
	defer harness.Wait()
	defer harness.Process.Kill()
	line, _ := bufio.NewReader(output).ReadString('\n')
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the harness says %q, want a process", line)
	}
	if !alive(pid) {
		t.Fatal("the service is gone before its harness")
	}
	harness.Process.Kill()
	awaitEnd(t, pid)
}

// awaitEnd waits for the end of a process that was killed: the system needs a
// moment to take it down.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for alive(pid) {
		select {
		case <-deadline:
			t.Fatalf("process %d still runs after 10s", pid)
		case <-tick.C:
		}
	}
}

// alive reports whether a process runs; one that is dead and not yet waited
// for does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}
