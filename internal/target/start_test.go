package target_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/target"
)

func TestStartWaitsUntilReady(t *testing.T) {
	var output bytes.Buffer
	running := start(t, service("service"), target.Options{Output: &output})
	if running.PID() == 0 || running.Cause() != "" {
		t.Errorf("a running service: PID %d, cause %q", running.PID(), running.Cause())
	}
	get(t, running.URL()+"/readyz")
	if err := running.Stop(); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(output.String(), "listening on ") {
		t.Errorf("output %q, want what the service wrote", output.String())
	}
	if !strings.HasSuffix(output.String(), "\ngoodbye\n") {
		t.Errorf("output %q, want the goodbye of a service that is asked to end first", output.String())
	}
	select {
	case <-running.Died():
		t.Error("a service that was stopped counts as dead by itself")
	default:
	}
}

func TestStartWithoutReadyWaitsForTheAddress(t *testing.T) {
	s := service("service")
	s.Subject.Ready = ""
	get(t, start(t, s, target.Options{}).URL()+"/env")
}

func TestStartFails(t *testing.T) {
	soon, taken := 150*time.Millisecond, httptest.NewServer(http.NotFoundHandler())
	defer taken.Close()
	change := func(role string, f func(*hypotheses.Subject)) hypotheses.Service {
		s := service(role)
		s.Subject.ReadyTimeout = &soon
		f(&s.Subject)
		return s
	}
	none := func(*hypotheses.Subject) {}
	slow := func(s *hypotheses.Subject) { s.ReadyTimeout = nil }
	tests := []struct {
		name    string
		service hypotheses.Service
		want    []string
	}{
		{"process ends first", change("broken service", slow), []string{"ended before it was ready", "exit status 4", "cannot open the database"}},
		{"never listens", change("sleeper", none), []string{"GET http://127.0.0.1:", "connection refused", "want a 2xx within 150ms", "  sleeping"}},
		{"never ready", change("service", func(s *hypotheses.Subject) { s.Ready = "GET /nowhere" }), []string{"answered 404 Not Found", "raise ready_timeout"}},
		{"redirect", change("service", func(s *hypotheses.Subject) { s.Ready = "GET /moved" }), []string{"answered 302 Found"}},
		{"no such program", change("", func(s *hypotheses.Subject) { s.Command.Run[0] = "./no-such-program" }), []string{`start "./no-such-program"`, "no such file"}},
		{"port not passed on", change("", func(s *hypotheses.Subject) { s.Command.Run = s.Command.Run[:1] }), []string{"${port} is neither in run nor in env"}},
		{"unknown variable", change("", func(s *hypotheses.Subject) { s.Env.Vars["X"] = "${providers.typo.openai}" }), []string{"service.env.X", "providers.typo.openai"}},
		{"unknown variable in run", change("", func(s *hypotheses.Subject) { s.Command.Run[1] = "${prot}" }), []string{"service.command.run[1]", "prot"}},
		{"ready without method", change("service", func(s *hypotheses.Subject) { s.Ready = "/readyz" }), []string{`"/readyz"`, "GET /readyz"}},
		{"empty command", change("", func(s *hypotheses.Subject) { s.Command.Run = nil }), []string{"run is empty"}},
		{"url and command", change("", func(s *hypotheses.Subject) { s.URL = taken.URL }), []string{"both url and command"}},
		{"neither", hypotheses.Service{}, []string{"neither url nor command"}},
		{"url that is not ready", change("", func(s *hypotheses.Subject) { s.URL, s.Command = taken.URL, nil }), []string{"answered 404", "is it running?"}},
		{"url that is none", change("", func(s *hypotheses.Subject) { s.URL, s.Command = "localhost:80", nil }), []string{`"localhost:80"`, "http://127.0.0.1:8080"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			running, err := target.Start(t.Context(), test.service, target.Options{})
			if err == nil {
				running.Stop()
				t.Fatal("it started")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want %q in it", err, want)
				}
			}
		})
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("interrupted")
	cancel(cause)
	if _, err := target.Start(ctx, service("sleeper"), target.Options{}); !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause of the end", err)
	}
}

func TestURL(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer up.Close()
	for _, ready := range []string{"", "GET /readyz", "GET " + up.URL + "/management"} {
		s := hypotheses.Service{Subject: hypotheses.Subject{URL: up.URL + "/", Ready: ready}}
		running := start(t, s, target.Options{})
		if running.URL() != up.URL || running.PID() != 0 || running.Died() != nil {
			t.Errorf("ready %q: URL %s, PID %d", ready, running.URL(), running.PID())
		}
	}
}

func TestServiceThatDiesLater(t *testing.T) {
	running := start(t, service("service"), target.Options{})
	http.Get(running.URL() + "/crash")
	select {
	case <-running.Died():
	case <-time.After(10 * time.Second):
		t.Fatal("the death of the service was not noticed in 10s")
	}
	for _, want := range []string{"exit status 3", "panic: out of luck"} {
		if !strings.Contains(running.Cause(), want) {
			t.Errorf("cause %q, want %q in it", running.Cause(), want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("BROWNOUT_SEED", "7")
	t.Setenv("TARGET_TEST_INHERITED", "yes")
	lookup := func(name string) (string, bool) {
		value, ok := map[string]string{"providers.primary.openai": "http://fake/v1", "env.TOKEN": "t"}[name]
		return value, ok
	}
	s := service("service")
	s.Subject.Command.Dir = t.TempDir()
	s.Subject.Command.Run[0], _ = filepath.Abs(s.Subject.Command.Run[0])
	s.Subject.Env.Vars["LLM"], s.Subject.Env.Vars["ADDRESS"] = "${providers.primary.openai}/${env.TOKEN}", "127.0.0.1:${port}"
	running := start(t, s, target.Options{Lookup: lookup})
	env := strings.Split(get(t, running.URL()+"/env"), "\n")
	address := strings.TrimPrefix(running.URL(), "http://")
	directory, _ := filepath.EvalSymlinks(s.Subject.Command.Dir)
	for _, want := range []string{"TARGET_TEST_INHERITED=yes", "LLM=http://fake/v1/t", "ADDRESS=" + address, "directory=" + directory} {
		if !slices.Contains(env, want) {
			t.Errorf("the service has no %s", want)
		}
	}
	if slices.Contains(env, "BROWNOUT_SEED=7") {
		t.Error("the service got a variable of brownout")
	}
}

func TestEnvironmentOfSDKs(t *testing.T) {
	t.Setenv(childRole, "service")
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	tests := []struct {
		name      string
		providers []string
		want      string // OPENAI_BASE_URL, or a part of the error
	}{
		{"the one named primary", []string{"primary", "fallback"}, "http://primary/v1"},
		{"the only one", []string{"main"}, "http://main/v1"},
		{"unclear", []string{"a", "b"}, "none is named primary"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := service("")
			s.Subject.Env, s.Providers = hypotheses.Env{SDK: true}, map[string]hypotheses.Provider{}
			for _, name := range test.providers {
				s.Providers[name] = hypotheses.Provider{}
			}
			running, err := target.Start(t.Context(), s, target.Options{Lookup: func(name string) (string, bool) {
				return "http://" + strings.Split(name, ".")[1] + "/v1", true
			}})
			if err != nil {
				if !strings.Contains(err.Error(), test.want) {
					t.Errorf("error %q, want %q in it", err, test.want)
				}
				return
			}
			defer running.Stop()
			env := get(t, running.URL()+"/env")
			if !strings.Contains(env, "OPENAI_BASE_URL="+test.want+"\n") || !strings.Contains(env, "OPENAI_API_KEY=sk-") {
				t.Errorf("want OPENAI_BASE_URL=%s and a key in:\n%s", test.want, env)
			}
		})
	}
}

func TestBrownoutIsTheRunningOne(t *testing.T) {
	s := service("service")
	program := s.Subject.Command.Run[0]
	s.Subject.Command.Run[0] = "brownout"
	get(t, start(t, s, target.Options{Brownout: program}).URL()+"/env")
}

func TestOutputThatFailsIsReported(t *testing.T) {
	running, err := target.Start(t.Context(), service("service"), target.Options{Output: failing{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := running.Stop(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v, want the error of Output", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, net.ErrClosed }
