package fakes_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

// TestLedgerIsBounded: the oldest calls make room, the counters stay exact.
func TestLedgerIsBounded(t *testing.T) {
	p, _ := start(t, fakes.LedgerSize(3))
	p.Inject(faults.On(faults.Unavailable{}).Every(2))
	bytes := int64(0)
	for range 5 {
		call(t, p, plainChat)
	}
	ids := []int64{}
	for _, c := range p.Calls() {
		ids = append(ids, c.ID)
		bytes += c.Achieved.Bytes
	}
	if want := []int64{3, 4, 5}; !slices.Equal(ids, want) {
		t.Errorf("ledger: got %v, want %v", ids, want)
	}
	got := p.Counters()
	if got.Calls != 5 || got.InFlight != 0 || got.Evicted != 2 || got.ByAPI["chat"] != 5 || got.ByFault["unavailable"] != 2 || got.Bytes <= bytes {
		t.Errorf("counters: got %+v, with %d bytes in the ledger", got, bytes)
	}
}

func TestReset(t *testing.T) {
	p, ended := start(t)
	inj := p.Inject(faults.On(faults.Stall{}).First(1), faults.On(faults.Unavailable{}).Attempts(2))
	hung := dial(t, p.Addr())
	hung.post(t, streamChat)
	readUntil(t, hung, "primary-3")
	call(t, p, plainChat)
	next(t, ended)
	p.Reset()
	if got := p.Counters(); len(p.Calls()) != 0 || got.Calls != 1 || got.InFlight != 1 || len(got.ByAPI) != 0 || got.Bytes != 0 {
		t.Errorf("after reset: %d calls, %+v", len(p.Calls()), got)
	}
	if got := call(t, p, plainChat); got != 200 {
		t.Errorf("the attempt group was not forgotten: got %d", got)
	}
	fin(t, hung)
	next(t, ended)
	next(t, ended)
	p.Close()
	if got := p.Calls(); len(got) != 2 || got[0].ID != 1 || got[1].ID != 3 {
		t.Errorf("ledger: got %+v", got)
	}
	if counts := inj.Counts(); counts[0].Fired != 1 {
		t.Errorf("the rules lost their counts: %+v", counts)
	}
}

func TestAttribution(t *testing.T) {
	const trace = "0123456789abcdef0123456789abcdef"
	p, ended := start(t, fakes.AttributionHeader("x-run-id"))
	body := strings.Replace(plainChat, "password", "password brownout-01234567-r-000042", 1)
	call(t, p, body, "traceparent: 00-"+trace+"-0000000000000001-01", "X-Run-Id: r-000042", "Idempotency-Key: once", "X-Stainless-Retry-Count: 2")
	c := next(t, ended)
	if c.Trace != trace || c.Header != "r-000042" || !slices.Equal(c.Markers, []string{"r-000042"}) || c.SDKRetry == nil || *c.SDKRetry != 2 {
		t.Errorf("got trace %q, header %q, markers %v, retry %v", c.Trace, c.Header, c.Markers, c.SDKRetry)
	}
	if c.Idempotency == "" || c.Idempotency == "once" || len(c.BodyHash) != 32 || c.Provider != "primary" || c.Conn != 1 || c.Proto != "HTTP/1.1" {
		t.Errorf("got %+v", c)
	}
	call(t, p, body)
	if again := next(t, ended); again.BodyHash != c.BodyHash || again.SDKRetry != nil || again.Idempotency != "" {
		t.Errorf("the same body again: got %+v", again)
	}
}

// TestNoSecrets: whatever header a credential comes in, the ledger has none of
// it, and can tell keys apart all the same.
func TestNoSecrets(t *testing.T) {
	const secret, other = "sk-verysecret-0123456789", "sk-othersecret-987654321"
	for _, header := range []string{"Authorization: Bearer ", "Authorization: ", "api-key: ", "x-api-key: ", "X-Goog-Api-Key: "} {
		p, ended := start(t, fakes.AttributionHeader(strings.SplitN(header, ":", 2)[0]))
		call(t, p, plainChat, header+secret, "Cookie: session="+secret, "Idempotency-Key: "+secret)
		call(t, p, plainChat, header+other)
		first, second := next(t, ended), next(t, ended)
		if first.Key == "" || first.Key == second.Key || first.Header == second.Header {
			t.Errorf("%q: keys %q and %q, headers %q and %q", header, first.Key, second.Key, first.Header, second.Header)
		}
		text, err := json.Marshal(p.Calls())
		if err != nil {
			t.Fatal(err)
		}
		if s := string(text); strings.Contains(s, "secret") || strings.Contains(s, "0123456789") {
			t.Errorf("%q: the ledger has the secret: %s", header, s)
		}
	}
}

func TestRedact(t *testing.T) {
	h := http.Header{"Authorization": {"Bearer sk-0123456789abcdef"}, "Cookie": {"short"}, "Accept": {"text/html"}}
	got := fakes.Redact(h)
	if key := got.Get("Authorization"); !strings.HasPrefix(key, "sk-…") || strings.Contains(key, "0123456789") {
		t.Errorf("authorization: got %q", key)
	}
	if cookie := got.Get("Cookie"); !strings.HasPrefix(cookie, "…") || strings.Contains(cookie, "s…") {
		t.Errorf("cookie: got %q", cookie)
	}
	if got.Get("Accept") != "text/html" || h.Get("Cookie") != "short" {
		t.Error("another header, or the original, was changed")
	}
}

// TestRetryAt: the ledger knows until when the caller was told to stay away.
func TestRetryAt(t *testing.T) {
	tests := []struct {
		name  string
		after faults.RetryAfter
		wait  time.Duration
	}{
		{"none", faults.RetryAfter{}, 0},
		{"seconds", faults.After(2 * time.Second), 2 * time.Second},
		{"ms", faults.AfterMS(1500 * time.Millisecond), 1500 * time.Millisecond},
		{"both", faults.RetryAfter{Form: faults.RetryBoth, Wait: 2 * time.Second, MS: 300 * time.Millisecond}, 300 * time.Millisecond},
		{"raw", faults.RetryAfter{Form: faults.RetryRaw, Raw: "7"}, 7 * time.Second},
		{"nonsense", faults.RetryAfter{Form: faults.RetryRaw, Raw: "-5"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, ended := start(t)
			p.Inject(faults.On(faults.RateLimit{RetryAfter: test.after}))
			c := dial(t, p.Addr())
			c.post(t, plainChat)
			a := c.answer(t)
			for name, want := range test.after.Headers(time.Time{}) {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
			got := next(t, ended)
			if test.wait == 0 {
				if !got.RetryAt.IsZero() {
					t.Errorf("got %v, want none", got.RetryAt)
				}
			} else if wait := got.RetryAt.Sub(got.HeadersAt); wait != test.wait {
				t.Errorf("got %v after the headers, want %v", wait, test.wait)
			}
		})
	}
}

// TestRetryAtDate: a date has whole seconds, and the ledger has what it says.
func TestRetryAtDate(t *testing.T) {
	p, ended := start(t)
	p.Inject(faults.On(faults.RateLimit{RetryAfter: faults.AfterDate(3 * time.Second)}))
	c := dial(t, p.Addr())
	c.post(t, plainChat)
	date, err := http.ParseTime(c.answer(t).header.Get("Retry-After"))
	if err != nil {
		t.Fatal(err)
	}
	if got := next(t, ended); !got.RetryAt.Equal(date) {
		t.Errorf("got %v, want %v", got.RetryAt, date)
	}
}
