package refservice_test

import (
	"slices"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/refservice"
)

// pair is a resilient service with its two providers, which answer in
// different words.
type pair struct {
	*refservice.Server
	primary, fallback *fakes.Provider
}

func resilient(t *testing.T, cfg refservice.Config, rules ...faults.Rule) pair {
	t.Helper()
	p := pair{primary: provider(t, rules...), fallback: fakes.NewProvider(fakes.Tokens(7))}
	t.Cleanup(p.fallback.Close)
	cfg.Policy, cfg.Primary, cfg.Fallback = "resilient", p.primary.OpenAI(), p.fallback.OpenAI()
	p.Server = service(t, cfg)
	return p
}

// fallbackText is the whole answer of a fallback.
func fallbackText(t *testing.T) string {
	t.Helper()
	p := fakes.NewProvider(fakes.Tokens(7))
	t.Cleanup(p.Close)
	return ask(t, service(t, refservice.Config{Policy: "naive", Primary: p.OpenAI()})).Answer
}

// TestResilientFallsBack breaks every call to the primary in one way. Each
// time the user gets the whole answer of the fallback, flagged, after as many
// calls to the primary as the failure is worth. Once the user of a stream has
// a part of the answer, one call is all.
func TestResilientFallsBack(t *testing.T) {
	t.Parallel()
	after := faults.Chunks(5)
	restarted := []string{"token", "restart", "token", "done"}
	straight := []string{"token", "done"}
	text := fallbackText(t)
	for name, c := range map[string]struct {
		fault  faults.Fault
		ask    int // calls to the primary
		stream int
		events []string
	}{
		"429":                     {faults.RateLimit{}, 2, 2, straight},
		"429, a wait too long":    {faults.RateLimit{RetryAfter: faults.After(2 * time.Second)}, 1, 1, straight},
		"429, a date too far":     {faults.RateLimit{RetryAfter: faults.AfterDate(4 * time.Second)}, 1, 1, straight},
		"429, an hour in ms":      {faults.RateLimit{RetryAfter: faults.AfterMS(time.Hour)}, 1, 1, straight},
		"429, a wait of nonsense": {faults.RateLimit{RetryAfter: faults.RetryAfter{Form: faults.RetryRaw, Raw: "-5"}}, 2, 2, straight},
		"out of quota":            {faults.QuotaExhausted{}, 1, 1, straight},
		"401":                     {faults.Status{Code: 401}, 1, 1, straight},
		"404":                     {faults.Status{Code: 404}, 1, 1, straight},
		"500":                     {faults.Status{Code: 500}, 2, 2, straight},
		"503":                     {faults.Unavailable{}, 2, 2, straight},
		"overloaded":              {faults.Overloaded{}, 2, 2, straight},
		"502 page":                {faults.HTMLPage{Code: 502}, 2, 2, straight},
		"200 page":                {faults.HTMLPage{Code: 200}, 2, 2, straight},
		"empty":                   {faults.Empty{}, 2, 2, straight},
		"reset":                   {faults.Reset{}, 2, 2, straight},
		"hang":                    {faults.Hang{}, 2, 2, straight},
		"hang after the headers":  {faults.Hang{Headers: true}, 2, 2, straight},
		"slow first token":        {faults.SlowFirstToken{}, 2, 2, straight},
		"the same, early headers": {faults.SlowFirstToken{Headers: faults.HeadersEarly}, 2, 2, straight},
		"malformed JSON":          {faults.MalformedJSON{}, 2, 2, straight},
		"JSON of the wrong type":  {faults.MalformedJSON{How: faults.DamageNotObject}, 2, 2, straight},
		"malformed chunk":         {faults.MalformedChunk{After: after}, 2, 1, restarted},
		"stall":                   {faults.Stall{After: after}, 2, 1, restarted},
		"stall with keep-alives":  {faults.Stall{After: after, KeepAlive: 20 * time.Millisecond}, 2, 1, restarted},
		"clean end, no finish":    {faults.Truncate{After: after, End: faults.EndClean}, 2, 1, restarted},
		"closed":                  {faults.Truncate{After: after, End: faults.EndFIN}, 2, 1, restarted},
		"reset in the middle":     {faults.Truncate{After: after, End: faults.EndRST}, 2, 1, restarted},
		"error event":             {faults.StreamError{After: after}, 2, 1, restarted},
		"too slow as a whole":     {faults.SlowTokens{Gap: 150 * time.Millisecond}, 1, 1, restarted},
	} {
		for path, want := range map[string]int{"/ask": c.ask, "/ask/stream": c.stream} {
			t.Run(name+path, func(t *testing.T) {
				t.Parallel()
				p := resilient(t, refservice.Config{}, faults.On(c.fault))
				got := send(t, p.Server, path, marked)
				if got.status != 200 || got.Answer != text || !got.Degraded || got.Provider != "fallback" {
					t.Errorf("got %+v, want the degraded answer %q", got, text)
				}
				if path == "/ask/stream" && !slices.Equal(got.events, c.events) {
					t.Errorf("got events %q, want %q", got.events, c.events)
				}
				if n := len(calls(t, p.primary)); n != want {
					t.Errorf("got %d calls to the primary, want %d", n, want)
				}
				if n := len(calls(t, p.fallback)); n != 1 {
					t.Errorf("got %d calls to the fallback, want 1", n)
				}
			})
		}
	}
}

// TestResilientRetries has failures that the one retry cures.
func TestResilientRetries(t *testing.T) {
	t.Parallel()
	const wait = 200 * time.Millisecond
	for name, fault := range map[string]faults.Fault{
		"503":                  faults.Unavailable{},
		"429 with a short ask": faults.RateLimit{RetryAfter: faults.AfterMS(wait)},
		"reset":                faults.Reset{},
		"hang":                 faults.Hang{},
		"malformed JSON":       faults.MalformedJSON{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, path := range []string{"/ask", "/ask/stream"} {
				p := resilient(t, refservice.Config{}, faults.On(fault).First(1))
				got := send(t, p.Server, path, marked)
				if got.status != 200 || got.Answer == "" || got.Degraded || got.Provider != "primary" {
					t.Errorf("%s: got %+v, want an answer of the primary", path, got)
				}
				made := calls(t, p.primary)
				if len(made) != 2 {
					t.Fatalf("%s: got %d calls to the primary, want 2", path, len(made))
				}
				for _, call := range made {
					if *call.SDKRetry != 0 {
						t.Errorf("%s: the SDK retries too", path)
					}
				}
				asked := made[0].RetryAt
				if asked.IsZero() == (fault.Kind() == "rate_limit") {
					t.Fatalf("%s: the ledger has the retry time %v", path, asked)
				}
				// The ledger adds the wait to the time at which it sent the answer.
				if made[1].Arrived.Before(asked.Add(-time.Millisecond)) {
					t.Errorf("%s: the retry came %v early", path, asked.Sub(made[1].Arrived))
				}
			}
		})
	}
}

// TestResilientDoesNotWait asks for an hour of patience, in an answer that has
// more time than the test.
func TestResilientDoesNotWait(t *testing.T) {
	t.Parallel()
	wait := faults.RateLimit{RetryAfter: faults.After(time.Hour)}
	p := resilient(t, refservice.Config{Deadline: 10 * patience}, faults.On(wait))
	if got := ask(t, p.Server); !got.Degraded {
		t.Errorf("got %+v, want the fallback", got)
	}
}

// TestResilientLeavesBrokenPool has several connections at rest when one
// breaks: the retry trusts none of them.
func TestResilientLeavesBrokenPool(t *testing.T) {
	t.Parallel()
	const users = 5
	p := resilient(t, refservice.Config{}, faults.On(faults.SlowFirstToken{Delay: 100 * time.Millisecond}).First(users))
	crowd(t, p.Server, users)
	last := int64(0)
	for _, call := range calls(t, p.primary) {
		last = max(last, call.Conn)
	}
	if last < 2 {
		t.Fatalf("got %d connections for %d users at once", last, users)
	}
	p.primary.Inject(faults.On(faults.Reset{}).First(1))
	if got := ask(t, p.Server); got.Degraded {
		t.Errorf("got %+v, want an answer of the primary", got)
	}
	made := calls(t, p.primary)
	if first, retry := made[users], made[users+1]; first.Conn > last || retry.Conn <= last {
		t.Errorf("got connections %d and %d after %d others, want an old one and then a new one", first.Conn, retry.Conn, last)
	}
}

// TestResilientRefuses has requests that no provider would take: neither a
// retry nor the fallback, and no mark against the primary.
func TestResilientRefuses(t *testing.T) {
	t.Parallel()
	for _, code := range []int{400, 413, 422} {
		p := resilient(t, refservice.Config{}, faults.On(faults.Status{Code: code}).First(12))
		for range 12 {
			if got := ask(t, p.Server); got.status != 502 || got.Error == "" {
				t.Fatalf("%d: got %+v, want a 502 that says why", code, got)
			}
		}
		if got := ask(t, p.Server); got.Provider != "primary" {
			t.Errorf("%d: got %+v, want the primary: bad requests must not open the breaker", code, got)
		}
		if n, m := len(calls(t, p.primary)), len(calls(t, p.fallback)); n != 13 || m != 0 {
			t.Errorf("%d: got %d and %d calls, want 13 and 0", code, n, m)
		}
	}
}

// TestResilientGivesUp breaks both providers.
func TestResilientGivesUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  faults.Fault
		path   string
		status int
		events []string
	}{
		"unavailable":   {faults.Unavailable{}, "/ask", 503, nil},
		"hang":          {faults.Hang{}, "/ask", 503, nil},
		"stream hang":   {faults.Hang{}, "/ask/stream", 503, nil},
		"stream stalls": {faults.Stall{After: faults.Chunks(2)}, "/ask/stream", 200, []string{"token", "restart", "token", "error"}},
		"slow tokens":   {faults.SlowTokens{Gap: 280 * time.Millisecond}, "/ask", 503, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := resilient(t, refservice.Config{}, faults.On(c.fault))
			p.fallback.Inject(faults.On(c.fault))
			got := send(t, p.Server, c.path, marked)
			if got.status != c.status || got.Error == "" || !slices.Equal(got.events, c.events) {
				t.Errorf("got %+v, want status %d, events %q and an error", got, c.status, c.events)
			}
			if c.status == 503 && got.header.Get("Retry-After") == "" {
				t.Error("a 503 without Retry-After")
			}
			if n, m := len(calls(t, p.primary)), len(calls(t, p.fallback)); n > 2 || m != 1 {
				t.Errorf("got %d and %d calls, want 2 at most and 1", n, m)
			}
		})
	}
}

func TestResilientWithoutFallback(t *testing.T) {
	t.Parallel()
	p := provider(t, faults.On(faults.Unavailable{}).First(2))
	s := service(t, refservice.Config{Policy: "resilient", Primary: p.OpenAI()})
	if got := ask(t, s); got.status != 503 {
		t.Errorf("got %+v, want 503", got)
	}
	if got := ask(t, s); got.status != 200 || got.Degraded {
		t.Errorf("got %+v, want an answer of the primary", got)
	}
}
