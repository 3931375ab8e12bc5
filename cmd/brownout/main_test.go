package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"brownout": main})
}

// TestScripts runs testdata/script/*.txt against the real binary. UPDATE=1
// rewrites the expected output in them.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			return os.CopyFS(filepath.Join(env.WorkDir, "examples"), os.DirFS(filepath.Join(root, "examples")))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode":  exitCodeIs,
			"signal":    signalBackground,
			"freeze":    freezeBackground,
			"awaitfile": awaitFile,
			"closed":    portsClosed,
			"freeport":  freePort,
			"awaitport": awaitPort,
			"get":       getURL,
		},
	})
}

// exitCodeIs runs brownout and wants an exit code: exitcode 3 run a.yaml.
func exitCodeIs(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("brownout", args[1:]...)
	got := 0
	if err != nil {
		if _, err := fmt.Sscanf(err.Error(), "exit status %d", &got); err != nil {
			ts.Fatalf("brownout did not run: %v", err)
		}
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// signalBackground sends a signal to a background brownout: signal INT.
func signalBackground(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(cmd.Process.Signal(signals[args[0]]))
	}
}

// freezeBackground stops a background brownout for a time, so that its load
// generator is late: freeze 500ms.
func freezeBackground(ts *testscript.TestScript, neg bool, args []string) {
	d, err := time.ParseDuration(args[0])
	ts.Check(err)
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(cmd.Process.Signal(syscall.SIGSTOP))
		<-time.After(d)
		ts.Check(cmd.Process.Signal(syscall.SIGCONT))
	}
}

// awaitFile waits until a file holds a text: awaitfile FILE TEXT.
func awaitFile(ts *testscript.TestScript, neg bool, args []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		matches, _ := filepath.Glob(ts.MkAbs(args[0]))
		for _, file := range matches {
			if data, err := os.ReadFile(file); err == nil && strings.Contains(string(data), args[1]) {
				return
			}
		}
		select {
		case <-ctx.Done():
			ts.Fatalf("no file %s with %q within 30s", args[0], args[1])
		case <-tick.C:
		}
	}
}

// freePort sets a variable to the number of a free loopback port: freeport PORT.
func freePort(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		ts.Check(err)
		_, port, err := net.SplitHostPort(l.Addr().String())
		ts.Check(err)
		ts.Check(l.Close())
		ts.Setenv(name, port)
	}
}

// awaitPort waits until something listens on a loopback port: awaitport 9901.
func awaitPort(ts *testscript.TestScript, neg bool, args []string) {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		conn, err := net.DialTimeout("tcp", "127.0.0.1:"+args[0], time.Second)
		if err == nil {
			conn.Close()
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	ts.Fatalf("nothing listens on port %s", args[0])
}

// getURL wants a text in the answer of a URL: get http://... TEXT.
func getURL(ts *testscript.TestScript, neg bool, args []string) {
	client := http.Client{Timeout: 5 * time.Second}
	resp, err := client.Get(args[0])
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	if !strings.Contains(string(body), args[1]) {
		ts.Fatalf("%s answers %q, want %q in it", args[0], body, args[1])
	}
}

// portsClosed waits until nothing listens on loopback ports, given as numbers
// or as files that hold one: closed 9901 port.txt.
func portsClosed(ts *testscript.TestScript, neg bool, args []string) {
	deadline := time.Now().Add(10 * time.Second)
	for _, port := range args {
		if strings.HasSuffix(port, ".txt") {
			port = strings.TrimSpace(ts.ReadFile(port))
		}
		for {
			conn, err := net.DialTimeout("tcp", "127.0.0.1:"+port, time.Second)
			if err != nil {
				break
			}
			conn.Close()
			if time.Now().After(deadline) {
				ts.Fatalf("something still listens on port %s", port)
			}
		}
	}
}

// TestDemo runs the demo by itself: it measures, and the scripts above run side
// by side.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute; not in short mode")
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/demo", UpdateScripts: os.Getenv("UPDATE") != ""})
}
