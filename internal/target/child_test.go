package target_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/target"
)

// childRole makes the test binary one of the programs below.
const childRole = "TARGET_TEST_ROLE"

func TestMain(m *testing.M) {
	role := os.Getenv(childRole)
	if role == "" {
		os.Exit(m.Run())
	}
	time.AfterFunc(time.Minute, func() { os.Exit(9) }) // whatever a test forgets
	switch role {
	case "service":
		go sayGoodbye()
		serve(os.Args[1])
	case "stubborn service":
		signal.Ignore(syscall.SIGTERM)
		serve(os.Args[1])
	case "broken service":
		fmt.Println("cannot open the database")
		os.Exit(4)
	case "sleeper":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("sleeping")
		select {}
	case "harness":
		harness()
	}
	os.Exit(0)
}

// sayGoodbye ends the process properly when it is asked to.
func sayGoodbye() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	<-asked
	fmt.Println("goodbye")
	os.Exit(0)
}

// serve is a service that needs three looks to get ready.
func serve(port string) {
	looks := 0
	http.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if looks++; looks < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	http.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/env", http.StatusFound)
	})
	http.HandleFunc("/env", func(w http.ResponseWriter, _ *http.Request) {
		directory, _ := os.Getwd()
		io.WriteString(w, strings.Join(append(os.Environ(), "directory="+directory), "\n"))
	})
	http.HandleFunc("/child", func(w http.ResponseWriter, _ *http.Request) {
		child := exec.Command(os.Args[0])
		child.Env = []string{childRole + "=sleeper"}
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, child.Process.Pid)
	})
	http.HandleFunc("/crash", func(http.ResponseWriter, *http.Request) {
		fmt.Fprintln(os.Stderr, "panic: out of luck")
		os.Exit(3)
	})
	fmt.Println("listening on", port)
	fmt.Println(http.ListenAndServe("127.0.0.1:"+port, nil))
	os.Exit(1)
}

// harness starts a service, ends a lot of its own threads and tells the
// service's process. It never stops it.
func harness() {
	running, err := target.Start(context.Background(), service("service"), target.Options{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	var group sync.WaitGroup
	for range 50 {
		group.Go(runtime.LockOSThread) // a goroutine that ends locked ends its thread
	}
	group.Wait()
	fmt.Println(running.PID())
	select {}
}

// service is a service file whose command is the test binary in a role.
func service(role string) hypotheses.Service {
	return hypotheses.Service{Subject: hypotheses.Subject{
		Command: &hypotheses.Command{Run: []string{os.Args[0], "${port}"}},
		Env: hypotheses.Env{Vars: map[string]string{
			childRole: role,
			"GORACE":  "atexit_sleep_ms=0", // the race detector delays every exit by 1 s
		}},
		Ready: "GET /readyz",
	}}
}

// start starts a service that must get ready, and stops it at the end.
func start(t *testing.T, s hypotheses.Service, opts target.Options) *target.Running {
	t.Helper()
	running, err := target.Start(t.Context(), s, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := running.Stop(); err != nil {
			t.Error(err)
		}
	})
	return running
}

// get reads a page of the service.
func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", url, response.Status, err)
	}
	return string(body)
}
