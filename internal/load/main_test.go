package load_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// serveOnly is the variable that turns the test binary into a trivial service
// in a process of its own, for benchmarks.
const serveOnly = "LOAD_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveOnly) != "" {
		serveTrivially()
		return
	}
	goleak.VerifyTestMain(m)
}

// serveTrivially prints its address and answers until its input ends.
func serveTrivially() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") }))
	io.Copy(io.Discard, os.Stdin)
}

// trivialService starts serveTrivially in another process and gives its
// address.
func trivialService(tb testing.TB) string {
	tb.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveOnly+"=1")
	input, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { input.Close(); cmd.Wait() })
	line := make([]byte, 64)
	n, err := output.Read(line)
	if err != nil {
		tb.Fatal(err)
	}
	return "http://" + strings.TrimSpace(string(line[:n]))
}
