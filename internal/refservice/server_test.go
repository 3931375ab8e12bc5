package refservice_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/refservice"
)

func TestEveryPolicyAnswers(t *testing.T) {
	t.Parallel()
	for _, policy := range refservice.Policies() {
		t.Run(policy.Name, func(t *testing.T) {
			t.Parallel()
			primary, fallback := provider(t), provider(t)
			s := service(t, refservice.Config{Policy: policy.Name, Primary: primary.OpenAI(), Fallback: fallback.OpenAI()})

			whole := ask(t, s)
			if whole.status != 200 || whole.Answer == "" || whole.Degraded || whole.Provider != "primary" {
				t.Errorf("ask: got %+v", whole)
			}
			streamed := stream(t, s)
			if streamed.Answer != whole.Answer || streamed.Degraded || streamed.Provider != "primary" {
				t.Errorf("stream: got %+v, want the text of ask, %q", streamed, whole.Answer)
			}
			if want := []string{"token", "done"}; !slices.Equal(streamed.events, want) {
				t.Errorf("events: got %q, want %q", streamed.events, want)
			}
			if made := calls(t, primary); len(made) != 2 || !slices.Contains(made[1].Markers, "r-000007") {
				t.Errorf("the marker of the question is not in the provider's calls: %+v", made)
			}
			if n := len(calls(t, fallback)); n != 0 {
				t.Errorf("the fallback was asked %d times by a healthy service", n)
			}
		})
	}
}

func TestForwardedHeaders(t *testing.T) {
	t.Parallel()
	const trace = "0123456789abcdef0000000000000007"
	for _, c := range []struct {
		policy    string
		id, trace string
	}{
		{"naive", "", ""},
		{"resilient", "r-000007", trace},
		{"three-layers", "r-000007", ""},
	} {
		t.Run(c.policy, func(t *testing.T) {
			t.Parallel()
			p := provider(t)
			s := service(t, refservice.Config{Policy: c.policy, Primary: p.OpenAI()})
			for _, path := range []string{"/ask", "/ask/stream"} {
				send(t, s, path, "anything", "X-Request-ID", "r-000007", "traceparent", "00-"+trace+"-0000000000000007-01")
			}
			for _, call := range calls(t, p) {
				if call.Header != c.id || call.Trace != c.trace {
					t.Errorf("got id %q and trace %q, want %q and %q", call.Header, call.Trace, c.id, c.trace)
				}
			}
		})
	}
}

// TestBystanders looks at the endpoints that need no provider while every
// question hangs.
func TestBystanders(t *testing.T) {
	t.Parallel()
	for _, policy := range refservice.Policies() {
		t.Run(policy.Name, func(t *testing.T) {
			t.Parallel()
			p := provider(t, faults.On(faults.Hang{}))
			s := service(t, refservice.Config{Policy: policy.Name, Primary: p.OpenAI(), FirstToken: patience, Deadline: patience})
			ctx, leave := context.WithCancel(t.Context())
			const users = 40
			left := make(chan error, users)
			for range users {
				go func() { _, err := try(ctx, s, "/ask", marked); left <- err }()
			}
			eventually(t, "all questions hang at the provider", func() bool { return p.InFlight() == users })
			for path, want := range map[string]string{
				"/search?q=password": "Reset a password", "/livez": "ok", "/readyz": "ok",
			} {
				response, err := http.Get(s.URL() + path)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || response.StatusCode != 200 || !bytes.Contains(body, []byte(want)) {
					t.Errorf("%s: got %d %q (%v), want 200 with %q", path, response.StatusCode, body, err, want)
				}
			}
			leave()
			for range users {
				if <-left == nil {
					t.Error("a question was answered by a provider that hangs")
				}
			}
			eventually(t, "the provider hears that all users have left", func() bool { return p.InFlight() == 0 })
			for _, call := range calls(t, p) {
				if call.HungUp != "caller" {
					t.Errorf("call %d ended otherwise: %+v", call.ID, call)
				}
			}
		})
	}
}

func TestCloseEndsRequests(t *testing.T) {
	t.Parallel()
	for _, policy := range refservice.Policies() {
		t.Run(policy.Name, func(t *testing.T) {
			t.Parallel()
			p := provider(t, faults.On(faults.Stall{After: faults.Chunks(2)}))
			s := service(t, refservice.Config{Policy: policy.Name, Primary: p.OpenAI(), Idle: patience, Deadline: patience})
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = try(t.Context(), s, "/ask/stream", marked) // cut in the middle: any end will do
			}()
			eventually(t, "the call reaches the provider", func() bool { return p.InFlight() == 1 })
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			<-ended
			eventually(t, "the call ends", func() bool { return p.InFlight() == 0 })
			if _, err := http.Get(s.URL() + "/livez"); err == nil {
				t.Error("the service still answers")
			}
		})
	}
}

func TestBadQuestions(t *testing.T) {
	t.Parallel()
	p := provider(t)
	s := service(t, refservice.Config{Policy: "naive", Primary: p.OpenAI()})
	for _, body := range []string{"", "{", `{"question": 3}`, `{"other": "x"}`, `{"question": ""}`, strings.Repeat("x", 2<<20)} {
		for _, path := range []string{"/ask", "/ask/stream"} {
			response, err := http.Post(s.URL()+path, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusBadRequest {
				t.Errorf("%s with %.20q: got %d, want 400", path, body, response.StatusCode)
			}
		}
	}
	if n := len(calls(t, p)); n != 0 {
		t.Errorf("bad questions reached the provider %d times", n)
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	const base = "http://127.0.0.1:1/v1"
	for name, c := range map[string]struct {
		cfg  refservice.Config
		want string
	}{
		"unknown policy":    {refservice.Config{Policy: "nave", Primary: base}, `no policy "nave": want one of naive, resilient, three-layers`},
		"no primary":        {refservice.Config{Policy: "naive"}, "base URL of the primary provider"},
		"primary no URL":    {refservice.Config{Policy: "naive", Primary: "127.0.0.1:1"}, "base URL of the primary provider"},
		"fallback no URL":   {refservice.Config{Policy: "resilient", Primary: base, Fallback: "x"}, "base URL of the fallback provider"},
		"negative attempts": {refservice.Config{Policy: "naive", Primary: base, Attempts: -1}, "0 or more"},
		"negative retries":  {refservice.Config{Policy: "naive", Primary: base, SDKRetries: new(-1)}, "0 or more"},
		"negative deadline": {refservice.Config{Policy: "resilient", Primary: base, Deadline: -1}, "0s or more"},
		"bad address":       {refservice.Config{Policy: "three-layers", Primary: base, Listen: "nowhere"}, "nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := refservice.Start(c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestPoliciesAreDescribed(t *testing.T) {
	t.Parallel()
	names := []string{}
	for _, p := range refservice.Policies() {
		names = append(names, p.Name)
		if p.Summary == "" || strings.Contains(p.Summary, "\n") {
			t.Errorf("%s: the summary %q is not one line", p.Name, p.Summary)
		}
	}
	if want := []string{"naive", "resilient", "three-layers"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}
