package refservice_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/refservice"
)

// TestMain also checks that nothing is left of any service after its Close.
// These tests wait more than they compute: more of them than there are cores
// may run at once.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "12"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// patience is the bound of every wait: a test that needs it has failed.
const patience = 20 * time.Second

const marked = "how do I reset my password? brownout-0123abcd-r-000007"

// provider starts a fake with rules that are in force from the start.
func provider(t *testing.T, rules ...faults.Rule) *fakes.Provider {
	t.Helper()
	p := fakes.NewProvider()
	t.Cleanup(p.Close)
	p.Inject(rules...)
	return p
}

// calls waits until no call is in flight: one whose caller has left is in the
// ledger a moment later.
func calls(t *testing.T, p *fakes.Provider) []fakes.Call {
	t.Helper()
	eventually(t, "all calls end", func() bool { return p.InFlight() == 0 })
	return p.Calls()
}

func service(t *testing.T, cfg refservice.Config) *refservice.Server {
	t.Helper()
	cfg.APIKey = "sk-test"
	s, err := refservice.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// A reply is what a user got from POST /ask or /ask/stream.
type reply struct {
	status   int
	header   http.Header
	Answer   string // all tokens since the last restart
	Degraded bool
	Provider string
	Error    string
	events   []string // names, tokens in a row once
}

// send posts a question and reads the whole reply.
func send(t *testing.T, s *refservice.Server, path, question string, headers ...string) reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	got, err := try(ctx, s, path, question, headers...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func ask(t *testing.T, s *refservice.Server) reply { t.Helper(); return send(t, s, "/ask", marked) }

func stream(t *testing.T, s *refservice.Server) reply {
	t.Helper()
	return send(t, s, "/ask/stream", marked)
}

func try(ctx context.Context, s *refservice.Server, path, question string, headers ...string) (reply, error) {
	body, err := json.Marshal(map[string]string{"question": question})
	if err != nil {
		return reply{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL()+path, strings.NewReader(string(body)))
	if err != nil {
		return reply{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	got := reply{status: response.StatusCode, header: response.Header}
	if response.Header.Get("Content-Type") == "text/event-stream" {
		return got, got.read(response.Body)
	}
	return got, json.NewDecoder(response.Body).Decode(&got)
}

func (r *reply) read(body io.Reader) error {
	name := ""
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = event
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var value struct {
			Text, Message, Provider string
			Degraded                bool
		}
		if err := json.Unmarshal([]byte(data), &value); err != nil {
			return err
		}
		if name == "restart" {
			r.Answer = ""
		}
		r.Answer += value.Text
		r.Error, r.Provider, r.Degraded = value.Message, value.Provider, value.Degraded
		if len(r.events) == 0 || r.events[len(r.events)-1] != name {
			r.events = append(r.events, name)
		}
	}
	return lines.Err()
}

// eventually waits for something that no channel tells.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-deadline.C:
			t.Fatalf("%v passed without: %s", patience, what)
		case <-tick.C:
		}
	}
}
