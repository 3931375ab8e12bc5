package fakes_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

// seen is what OpenAI's client does with a fault and what its caller sees.
type seen struct {
	attempts int
	outcome
}

const three = "primary-1 primary-2 primary-3"

// faultTable has one row per fault: what an unstreamed call sees, and what a
// streamed one sees.
var faultTable = []struct {
	name   string
	fault  faults.Fault
	json   seen
	stream seen
}{
	{"rate_limit", faults.RateLimit{}, seen{3, outcome{err: "Too Many Requests"}}, seen{3, outcome{err: "Too Many Requests"}}},
	{"rate_limit at once", faults.RateLimit{RetryAfter: faults.After(0)}, seen{3, outcome{err: "Too Many Requests"}}, seen{3, outcome{err: "Too Many Requests"}}},
	{"rate_limit ms", faults.RateLimit{RetryAfter: faults.AfterMS(2 * time.Millisecond)}, seen{3, outcome{err: "Too Many Requests"}}, seen{3, outcome{err: "Too Many Requests"}}},
	{"rate_limit both", faults.RateLimit{RetryAfter: faults.RetryAfter{Form: faults.RetryBoth, Wait: 9 * time.Second, MS: time.Millisecond}}, seen{3, outcome{err: "Too Many Requests"}}, seen{3, outcome{err: "Too Many Requests"}}},
	{"rate_limit longer than the client waits", faults.RateLimit{RetryAfter: faults.After(time.Second)}, seen{1, outcome{err: "Too Many Requests"}}, seen{1, outcome{err: "Too Many Requests"}}},
	{"rate_limit date", faults.RateLimit{RetryAfter: faults.AfterDate(time.Minute)}, seen{1, outcome{err: "Too Many Requests"}}, seen{1, outcome{err: "Too Many Requests"}}},
	{"quota_exhausted", faults.QuotaExhausted{}, seen{3, outcome{err: "Too Many Requests"}}, seen{3, outcome{err: "Too Many Requests"}}},
	{"unavailable", faults.Unavailable{}, seen{3, outcome{err: "Service Unavailable"}}, seen{3, outcome{err: "Service Unavailable"}}},
	{"unavailable 502", faults.Unavailable{Code: 502}, seen{3, outcome{err: "Bad Gateway"}}, seen{3, outcome{err: "Bad Gateway"}}},
	{"overloaded", faults.Overloaded{}, seen{3, outcome{err: "Service Unavailable"}}, seen{3, outcome{err: "Service Unavailable"}}},
	{"status 400", faults.Status{Code: 400}, seen{1, outcome{err: "Bad Request"}}, seen{1, outcome{err: "Bad Request"}}},
	{"status 409", faults.Status{Code: 409}, seen{3, outcome{err: "Conflict"}}, seen{3, outcome{err: "Conflict"}}},
	{"status with a hint", faults.Status{Code: 503, Headers: map[string]string{"X-Should-Retry": "false"}}, seen{1, outcome{err: "Service Unavailable"}}, seen{1, outcome{err: "Service Unavailable"}}},
	{"slow_first_token", faults.SlowFirstToken{Delay: 20 * time.Millisecond}, seen{1, outcome{text: sixWords, finish: "stop"}}, seen{1, outcome{text: sixWords, finish: "stop"}}},
	{"slow_first_token early", faults.SlowFirstToken{Delay: 20 * time.Millisecond, Headers: faults.HeadersEarly}, seen{1, outcome{text: sixWords, finish: "stop"}}, seen{1, outcome{text: sixWords, finish: "stop"}}},
	{"slow_tokens", faults.SlowTokens{Gap: 5 * time.Millisecond}, seen{1, outcome{text: sixWords, finish: "stop"}}, seen{1, outcome{text: sixWords, finish: "stop"}}},
	{"hang", faults.Hang{}, seen{1, outcome{err: "canceled"}}, seen{1, outcome{err: "canceled"}}},
	{"hang with headers", faults.Hang{Headers: true}, seen{1, outcome{err: "canceled"}}, seen{1, outcome{err: "canceled"}}},
	{"reset", faults.Reset{}, seen{3, outcome{err: "reset"}}, seen{3, outcome{err: "reset"}}},
	{"empty", faults.Empty{}, seen{1, outcome{err: "eof"}}, seen{1, outcome{}}},
	{"html_page", faults.HTMLPage{}, seen{3, outcome{err: "Bad Gateway"}}, seen{3, outcome{err: "Bad Gateway"}}},
	{"malformed_json", faults.MalformedJSON{}, seen{1, outcome{err: "eof"}}, seen{1, outcome{err: "syntax"}}},
	{"malformed_json syntax", faults.MalformedJSON{How: faults.DamageSyntax}, seen{1, outcome{err: "syntax"}}, seen{1, outcome{err: "syntax"}}},
	{"malformed_chunk", faults.MalformedChunk{}, seen{1, outcome{err: "eof"}}, seen{1, outcome{text: three, err: "syntax"}}},
	{"stall", faults.Stall{}, seen{1, outcome{err: "canceled"}}, seen{1, outcome{text: three, err: "canceled"}}},
	{"stall with comments", faults.Stall{KeepAlive: time.Millisecond}, seen{1, outcome{err: "canceled"}}, seen{1, outcome{text: three, err: "canceled"}}},
	{"stall that ends", faults.Stall{KeepAlive: time.Millisecond, Resume: 10 * time.Millisecond}, seen{1, outcome{text: sixWords, finish: "stop"}}, seen{1, outcome{text: sixWords, finish: "stop"}}},
	{"stall at a time", faults.Stall{After: faults.Point{Time: 10 * time.Millisecond}, Resume: 10 * time.Millisecond}, seen{1, outcome{text: sixWords, finish: "stop"}}, seen{1, outcome{text: sixWords, finish: "stop"}}},
	{"truncate clean", faults.Truncate{}, seen{1, outcome{err: "eof"}}, seen{1, outcome{text: three}}},
	{"truncate fin", faults.Truncate{End: faults.EndFIN}, seen{1, outcome{err: "eof"}}, seen{1, outcome{text: three, err: "eof"}}},
	{"truncate rst", faults.Truncate{End: faults.EndRST}, seen{1, outcome{err: "reset"}}, seen{1, outcome{text: three, err: "reset"}}},
	{"truncate beyond the end", faults.Truncate{After: faults.Chunks(99), End: faults.EndFIN}, seen{1, outcome{err: "eof"}}, seen{1, outcome{text: sixWords, err: "eof"}}},
	{"truncate bytes", faults.Truncate{After: faults.Bytes(100), End: faults.EndFIN}, seen{1, outcome{err: "eof"}}, seen{1, outcome{err: "eof"}}},
	{"stream_error", faults.StreamError{}, seen{3, outcome{err: "Internal Server Error"}}, seen{1, outcome{text: three, err: "error event"}}},
}

func TestFaults(t *testing.T) {
	for _, row := range faultTable {
		t.Run(row.name+"/json", func(t *testing.T) { checkFault(t, row.fault, false, row.json) })
		t.Run(row.name+"/stream", func(t *testing.T) { checkFault(t, row.fault, true, row.stream) })
	}
}

// checkFault plays the fault on every call, with the caller leaving where it
// would wait for ever, and compares what was seen with the ledger.
func checkFault(t *testing.T, fault faults.Fault, streamed bool, want seen) {
	t.Parallel()
	p, ended := start(t)
	inj := p.Inject(faults.On(fault))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()

	got := seen{}
	client := sdk(t, p)
	if streamed {
		if want.err == "canceled" && want.text == "" {
			go cancelWhenFired(t, inj, cancel)
		}
		got.outcome = stream(ctx, client, ask("hi"), func(text string) {
			if want.err == "canceled" && text == want.text {
				cancel()
			}
		})
	} else {
		if want.err == "canceled" {
			go cancelWhenFired(t, inj, cancel)
		}
		got.outcome = complete(ctx, client, ask("hi"))
	}
	for range want.attempts {
		checkEffect(t, next(t, ended), fault)
	}
	got.attempts = int(p.Counters().Calls)
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if count := inj.Counts()[0]; count.Matched != want.attempts || count.Fired != want.attempts {
		t.Errorf("counts: got %+v, want %d of %d", count, want.attempts, want.attempts)
	}
}

func cancelWhenFired(t *testing.T, inj *fakes.Injection, cancel func()) {
	until(t, "the fault to fire", func() bool { return inj.Counts()[0].Fired > 0 })
	cancel()
}

// checkEffect compares what the provider planned with what it achieved.
func checkEffect(t *testing.T, c fakes.Call, fault faults.Fault) {
	t.Helper()
	if c.Fault != fault.Kind() {
		t.Errorf("fault: got %q, want %q", c.Fault, fault.Kind())
	}
	planned, achieved := c.Planned, c.Achieved
	if achieved.Delay < planned.Delay {
		t.Errorf("delay: planned %v, achieved %v", planned.Delay, achieved.Delay)
	}
	if _, timed := fault.(faults.Stall); timed && planned.Bytes == 0 {
		achieved.Bytes = 0 // a point in time: not known ahead
	}
	if planned.End == fakes.EndHang && c.HungUp != fakes.Caller {
		t.Errorf("hung up: got %q, want %q", c.HungUp, fakes.Caller)
	}
	if achieved.End == fakes.EndCaller && planned.End == fakes.EndHang && strings.Contains(c.Fault, "hang") {
		achieved = planned // the caller left while the headers of the hang were on their way
	}
	if achieved.End == fakes.EndCaller && strings.Contains(c.Fault, "malformed") && c.HungUp == fakes.Caller {
		achieved.End, achieved.Bytes = planned.End, planned.Bytes // the SDK left at the damage, before the rest was sent
	}
	planned.Delay, achieved.Delay = 0, 0
	if planned != achieved {
		t.Errorf("planned %+v, achieved %+v", planned, achieved)
	}
}
