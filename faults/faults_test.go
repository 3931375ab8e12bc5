package faults_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

func TestZeroValuesPass(t *testing.T) {
	for _, f := range faults.Catalogue() {
		if err := f.Check(); err != nil {
			t.Errorf("%s: zero value: %v", f.Kind(), err)
		}
	}
	for _, toxic := range faults.Toxics() {
		if err := toxic.Check(); err != nil {
			t.Errorf("%s: zero value: %v", toxic.Kind(), err)
		}
	}
}

func TestEveryFaultButNetworkIsScripted(t *testing.T) {
	for _, f := range faults.Catalogue() {
		scripted, ok := f.(faults.Scripted)
		if _, network := f.(faults.Network); ok == network {
			t.Errorf("%s: scripted is %v", f.Kind(), ok)
			continue
		}
		if ok && scripted.Script() == (faults.Script{}) {
			t.Errorf("%s: its zero value leaves the answer healthy", f.Kind())
		}
	}
}

func TestKindsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range faults.Catalogue() {
		if seen[f.Kind()] {
			t.Errorf("%s is there twice", f.Kind())
		}
		seen[f.Kind()] = true
	}
}

func TestCheckRefuses(t *testing.T) {
	tests := map[string]struct {
		fault faults.Fault
		want  string // part of the error
	}{
		"unavailable that is none": {faults.Unavailable{Code: 404}, "500 to 599"},
		"status out of range":      {faults.Status{Code: 99}, "200 to 599"},
		"framing header":           {faults.Status{Headers: map[string]string{"Content-Length": "3"}}, "frames the message"},
		"html page out of range":   {faults.HTMLPage{Code: 700}, "200 to 599"},
		"half a second in a header of seconds": {
			faults.RateLimit{RetryAfter: faults.After(1500 * time.Millisecond)}, "{ms: 1500}"},
		"negative wait":            {faults.Overloaded{RetryAfter: faults.After(-time.Second)}, "{raw: TEXT}"},
		"delay and quantiles":      {faults.SlowFirstToken{Delay: 1, Quantiles: faults.Quantiles{P50: 1}}, "one of the two"},
		"falling quantiles":        {faults.SlowTokens{Quantiles: faults.Quantiles{P50: 2, P99: 1}}, "must not fall"},
		"unknown side of the wait": {faults.SlowFirstToken{Headers: "soon"}, "early or late"},
		"negative gap":             {faults.SlowTokens{Gap: -1}, "above 0s"},
		"unknown damage":           {faults.MalformedJSON{How: "badly"}, "cut, syntax or not_object"},
		"unknown damage of chunk":  {faults.MalformedChunk{How: "badly"}, "cut, syntax or not_object"},
		"unknown end":              {faults.Truncate{End: "bang"}, "clean, fin or rst"},
		"negative stall":           {faults.Stall{Resume: -1}, "0s or more"},
		"negative latency":         {faults.Network{Toxic: faults.Latency{Latency: -1}}, "0s or more"},
		"negative bandwidth":       {faults.Network{Toxic: faults.Bandwidth{Rate: -1}}, "4KiB/s"},
		"negative timeout":         {faults.Network{Toxic: faults.Timeout{Timeout: -1}}, "never close"},
		"negative reset":           {faults.Network{Toxic: faults.ResetPeer{Timeout: -1}}, "0s or more"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := test.fault.Check()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestRuleCheck(t *testing.T) {
	network := faults.Network{Toxic: faults.Latency{Latency: time.Second}}
	tests := map[string]struct {
		rule faults.Rule
		want string // part of the error; "": none
	}{
		"plain":                {faults.On(faults.Reset{}), ""},
		"share":                {faults.On(faults.Reset{}).Share(1), ""},
		"network with share":   {faults.On(network).Share(0.5), ""},
		"no fault":             {faults.Rule{}, "no fault"},
		"share of zero":        {faults.On(faults.Reset{}).Share(0), "above 0"},
		"share above one":      {faults.On(faults.Reset{}).Share(1.5), "up to 1"},
		"first of zero":        {faults.On(faults.Reset{}).First(0), "from 1"},
		"every of zero":        {faults.On(faults.Reset{}).Every(0), "from 1"},
		"call number zero":     {faults.On(faults.Reset{}).Calls(3, 0), "numbered from 1"},
		"no call numbers":      {faults.On(faults.Reset{}).Calls(), ""}, // Calls() is a nil list: no trigger
		"attempt number zero":  {faults.On(faults.Reset{}).Attempts(0), "numbered from 1"},
		"negative start":       {faults.On(faults.Reset{}).Between(-1, time.Second), "at is negative"},
		"empty window":         {faults.On(faults.Reset{}).Between(0, 0), "above 0s"},
		"bad fault":            {faults.On(faults.Status{Code: 1}), "200 to 599"},
		"network with match":   {faults.On(network).Matching(faults.Match{API: "chat"}), "connections, not calls"},
		"share of down":        {faults.On(faults.Network{Toxic: faults.Down{}}).Share(0.3), "every connection"},
		"network with trigger": {faults.On(network).First(2), "connections, not calls"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := test.rule.Check()
			switch {
			case test.want == "" && err != nil:
				t.Errorf("got %v, want no error", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
	two := faults.On(faults.Reset{}).First(2)
	share := 0.5
	two.Trigger.Share = &share
	if err := two.Check(); err == nil || !strings.Contains(err.Error(), "at most one of") {
		t.Errorf("two triggers: got %v", err)
	}
	late := faults.On(faults.Reset{})
	length := time.Second
	late.Window.For = &length
	if err := late.Check(); err == nil || !strings.Contains(err.Error(), "for without at") {
		t.Errorf("for without at: got %v", err)
	}
}

func TestRetryAfterHeaders(t *testing.T) {
	now := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		retry   faults.RetryAfter
		headers string
		wait    time.Duration // 0: none
	}{
		"none":    {faults.RetryAfter{}, "", 0},
		"seconds": {faults.After(2 * time.Second), "Retry-After: 2", 2 * time.Second},
		"zero":    {faults.After(0), "Retry-After: 0", 0},
		"date":    {faults.AfterDate(3 * time.Second), "Retry-After: Tue, 01 Dec 2026 08:00:03 GMT", 3 * time.Second},
		"past":    {faults.AfterDate(-3 * time.Second), "Retry-After: Tue, 01 Dec 2026 07:59:57 GMT", 0},
		"ms":      {faults.AfterMS(1500 * time.Millisecond), "Retry-After-Ms: 1500", 1500 * time.Millisecond},
		"both": {faults.RetryAfter{Form: faults.RetryBoth, Wait: 2 * time.Second, MS: 300 * time.Millisecond},
			"Retry-After: 2, Retry-After-Ms: 300", 300 * time.Millisecond},
		"negative": {faults.RetryAfter{Form: faults.RetryRaw, Raw: "-5"}, "Retry-After: -5", 0},
		"garbage":  {faults.RetryAfter{Form: faults.RetryRaw, Raw: "soon"}, "Retry-After: soon", 0},
		"raw":      {faults.RetryAfter{Form: faults.RetryRaw, Raw: "121"}, "Retry-After: 121", 121 * time.Second},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var lines []string
			for _, key := range []string{"Retry-After", "Retry-After-Ms"} {
				if v, ok := test.retry.Headers(now)[key]; ok {
					lines = append(lines, key+": "+v)
				}
			}
			if got := strings.Join(lines, ", "); got != test.headers {
				t.Errorf("headers: got %q, want %q", got, test.headers)
			}
			wait, ok := test.retry.Deadline()
			if ok != (test.wait > 0) || ok && wait != test.wait {
				t.Errorf("deadline: got %v %v, want %v", wait, ok, test.wait)
			}
		})
	}
}

func TestTextForms(t *testing.T) {
	points := map[string]faults.Point{
		"5 chunks": faults.Chunks(5), "1 chunk": faults.Chunks(1), "300 bytes": faults.Bytes(300), "2s": {Time: 2 * time.Second},
	}
	for text, want := range points {
		var got faults.Point
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: got %v %v, want %v", text, got, err, want)
		}
		var again faults.Point
		if err := again.UnmarshalText([]byte(got.String())); err != nil || again != got {
			t.Errorf("%q: wrote %q, read back %v %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "5", "five chunks", "-1 chunks", "5 apples", "-2s"} {
		var p faults.Point
		if err := p.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: read as %v", text, p)
		}
	}
	rates := map[string]faults.ByteRate{"512B/s": 512, "4KiB/s": 4096, "100KB/s": 100_000, "1MiB/s": 1 << 20, "0B/s": 0}
	for text, want := range rates {
		var got faults.ByteRate
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want || got.String() != text {
			t.Errorf("%q: got %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "4", "4KiB", "-4KiB/s", "x KiB/s", "9999999999999MiB/s"} {
		var r faults.ByteRate
		if err := r.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: read as %v", text, r)
		}
	}
}

func TestQuantilesInterpolate(t *testing.T) {
	q := faults.Quantiles{P50: 100 * time.Millisecond, P90: 500 * time.Millisecond, P99: 2 * time.Second}
	tests := []struct {
		u    float64
		want time.Duration
	}{
		{0, 0}, {0.25, 50 * time.Millisecond}, {0.5, 100 * time.Millisecond}, {0.7, 300 * time.Millisecond},
		{0.9, 500 * time.Millisecond}, {0.99, 2 * time.Second}, {0.9999, 2 * time.Second},
	}
	for _, test := range tests {
		if got := q.At(test.u); (got - test.want).Abs() > time.Microsecond {
			t.Errorf("at %g: got %v, want %v", test.u, got, test.want)
		}
	}
	if got := (faults.Delay{Fixed: time.Second}).At(0.99); got != time.Second {
		t.Errorf("fixed delay: got %v", got)
	}
}
