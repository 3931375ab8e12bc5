package fakes_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/option"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

// call sends one call and gives its status.
func call(t *testing.T, p *fakes.Provider, body string, header ...string) int {
	t.Helper()
	c := dial(t, p.Addr())
	defer c.Close()
	c.post(t, body, header...)
	a := c.answer(t)
	if a.err != nil {
		t.Fatal(a.err)
	}
	return a.status
}

func TestTriggers(t *testing.T) {
	outage := faults.On(faults.Unavailable{})
	tests := []struct {
		name string
		rule faults.Rule
		want []int // which of ten calls get the fault
	}{
		{"all", outage, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{"first", outage.First(2), []int{1, 2}},
		{"calls", outage.Calls(3, 7), []int{3, 7}},
		{"every", outage.Every(4), []int{4, 8}},
		{"share of all", outage.Share(1), []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{"attempts of one group", outage.Attempts(1, 3), []int{1, 3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, _ := start(t)
			inj := p.Inject(test.rule)
			got := []int{}
			for i := 1; i <= 10; i++ {
				if call(t, p, plainChat) == 503 {
					got = append(got, i)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("fired on %v, want %v", got, test.want)
			}
			want := fakes.RuleCount{Name: "unavailable", Matched: 10, Fired: len(test.want)}
			if count := inj.Counts()[0]; count != want {
				t.Errorf("counts: got %+v, want %+v", count, want)
			}
		})
	}
}

// TestAttemptGroups: same request and same body are one group; another request
// or another body is another group.
func TestAttemptGroups(t *testing.T) {
	p, _ := start(t)
	p.Inject(faults.On(faults.Unavailable{}).Attempts(1))
	other := strings.Replace(plainChat, "password", "key", 1)
	for i, step := range []struct {
		body, id string
		want     int
	}{
		{plainChat, "r-000001", 503}, {plainChat, "r-000001", 200}, {plainChat, "r-000002", 503},
		{other, "r-000001", 503}, {plainChat, "r-000001", 200}, {other, "r-000001", 200},
	} {
		if got := call(t, p, step.body, "X-Request-ID: "+step.id); got != step.want {
			t.Errorf("call %d: got %d, want %d", i+1, got, step.want)
		}
	}
}

func TestMatch(t *testing.T) {
	key := "Authorization: Bearer sk-a"
	tests := []struct {
		name  string
		match faults.Match
		yes   bool
	}{
		{"all", faults.Match{}, true},
		{"api", faults.Match{API: "chat"}, true},
		{"other api", faults.Match{API: "models"}, false},
		{"model", faults.Match{Model: "gpt-4o"}, true},
		{"glob", faults.Match{Model: "gpt-*"}, true},
		{"glob in the middle", faults.Match{Model: "g*4*"}, true},
		{"other model", faults.Match{Model: "gpt-4"}, false},
		{"other glob", faults.Match{Model: "*mini"}, false},
		{"overlapping glob", faults.Match{Model: "gpt-4o*4o"}, false},
		{"unstreamed", faults.Match{Stream: new(false)}, true},
		{"streamed", faults.Match{Stream: new(true)}, false},
		{"key", faults.Match{Key: "sk-a"}, true},
		{"part of the key", faults.Match{Key: "sk-"}, false},
		{"header", faults.Match{Header: map[string]string{"x-team": "a"}}, true},
		{"other header", faults.Match{Header: map[string]string{"x-team": "b"}}, false},
		{"body", faults.Match{Body: `len(messages) == 2 and messages[0].role == "system"`}, true},
		{"missing field", faults.Match{Body: "metadata.user == nil"}, true},
		{"other body", faults.Match{Body: "len(messages) > 3"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, _ := start(t)
			inj := p.Inject(faults.On(faults.Unavailable{}).Matching(test.match))
			if got := call(t, p, plainChat, key, "X-Team: a"); got == 503 != test.yes {
				t.Errorf("got %d, want a match: %t", got, test.yes)
			}
			if count := inj.Counts()[0]; count.Matched == 1 != test.yes || count.Undecided != 0 {
				t.Errorf("counts: got %+v", count)
			}
		})
	}
}

// TestUndecided: an expression that fails on a call does not match it, and
// says so.
func TestUndecided(t *testing.T) {
	for _, source := range []string{"seed > 3", "len(nothing) > 3"} {
		p, _ := start(t)
		inj := p.Inject(faults.On(faults.Unavailable{}).Matching(faults.Match{Body: source}))
		if got := call(t, p, plainChat); got != 200 {
			t.Errorf("%s: got %d, want 200", source, got)
		}
		want := fakes.RuleCount{Name: "unavailable", Undecided: 1}
		if got := inj.Counts()[0]; got != want {
			t.Errorf("%s: got %+v, want %+v", source, got, want)
		}
	}
}

// TestOrder: the first rule that fires takes the call, and the later ones do
// not see it.
func TestOrder(t *testing.T) {
	p, ended := start(t)
	first := p.Inject(faults.On(faults.Unavailable{Code: 502}).First(1), faults.On(faults.Overloaded{}).First(1))
	second := p.Inject(faults.On(faults.RateLimit{}))
	got := []int{}
	for range 3 {
		got = append(got, call(t, p, plainChat))
	}
	first.Lift()
	second.Lift()
	second.Lift()
	got = append(got, call(t, p, plainChat))
	if want := []int{502, 503, 429, 200}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	want := []fakes.RuleCount{{Name: "unavailable", Matched: 3, Fired: 1}, {Name: "overloaded", Matched: 2, Fired: 1}}
	if counts := first.Counts(); !slices.Equal(counts, want) {
		t.Errorf("counts: got %+v, want %+v", counts, want)
	}
	if counts := second.Counts(); counts[0].Matched != 1 || counts[0].Fired != 1 {
		t.Errorf("counts: got %+v, want 1 of 1", counts)
	}
	for _, want := range []string{"unavailable", "overloaded", "rate_limit", ""} {
		if c := next(t, ended); c.Fault != want {
			t.Errorf("ledger: got %q, want %q", c.Fault, want)
		}
	}
}

// TestLiftKeepsRunningCalls: a call keeps the fault that it got.
func TestLiftKeepsRunningCalls(t *testing.T) {
	p, ended := start(t)
	inj := p.Inject(faults.On(faults.Stall{}))
	c := dial(t, p.Addr())
	c.post(t, streamChat)
	readUntil(t, c, "primary-3")
	inj.Lift()
	if got := call(t, p, plainChat); got != 200 {
		t.Errorf("a later call: got %d, want 200", got)
	}
	next(t, ended)
	if p.InFlight() != 1 {
		t.Fatal("the stalled call has ended with the fault")
	}
	fin(t, c)
	if got := next(t, ended); got.Fault != "stall" || got.Achieved.End != fakes.EndHang {
		t.Errorf("got %+v", got)
	}
}

func TestInjectRefuses(t *testing.T) {
	p, _ := start(t)
	for name, rule := range map[string]faults.Rule{
		"no fault":         {},
		"impossible":       faults.On(faults.Unavailable{Code: 200}),
		"a network fault":  faults.On(faults.Network{Toxic: faults.Down{}}),
		"a bad expression": faults.On(faults.Reset{}).Matching(faults.Match{Body: "len("}),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			p.Inject(faults.On(faults.Overloaded{}), rule)
		})
	}
	if got := call(t, p, plainChat); got != 200 {
		t.Errorf("after refused rules: got %d, want 200", got)
	}
}

// TestRecovery: with the first two attempts refused, the SDK's third comes
// through.
func TestRecovery(t *testing.T) {
	p, ended := start(t)
	p.Inject(faults.On(faults.RateLimit{}).Attempts(1, 2))
	got := complete(t.Context(), sdk(t, p, option.WithHeader("X-Request-Id", "r-000001")), ask("hi"))
	if got.text != sixWords {
		t.Errorf("got %+v", got)
	}
	for want := range 3 {
		if c := next(t, ended); c.SDKRetry == nil || *c.SDKRetry != want || c.Header != "r-000001" {
			t.Errorf("attempt %d: got %v of %q", want, c.SDKRetry, c.Header)
		}
	}
}

func TestUnknownPath(t *testing.T) {
	p, ended := start(t)
	resp, err := httpClient(t, nil).Get(p.URL() + "/v1/assistants")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusNotFound || !strings.Contains(string(body), `"code":"unknown_url"`) {
		t.Errorf("got %d %s, %v", resp.StatusCode, body, err)
	}
	if c := next(t, ended); c.API != "unknown" || c.Status != 404 {
		t.Errorf("ledger: got %+v", c)
	}
}
