package hypotheses_test

import (
	"encoding/json"
	"strings"
	"testing"

	. "github.com/brownout-chaos/brownout/hypotheses"
)

func TestAttribution(t *testing.T) {
	strip := func(share int, keep func(c *LeafCall, q *Request)) *scene {
		s := fullScene()
		byTrace := map[string]*Request{}
		for i := range s.Requests {
			byTrace[s.Requests[i].Trace] = &s.Requests[i]
		}
		for i := range s.Calls {
			c := &s.Calls[i]
			q := byTrace[c.Trace]
			if i%100 < share {
				c.Trace = ""
				keep(c, q)
			}
		}
		return s
	}
	nothing := func(*LeafCall, *Request) {}
	for _, c := range []struct {
		name   string
		scene  *scene
		method Rung
		counts [3]int // attributed, orphans, foreign
	}{
		{"traceparent", fullScene(), RungTrace, [3]int{950, 0, 0}},
		{"header", strip(100, func(c *LeafCall, q *Request) { c.Header = q.ID }), RungHeader, [3]int{950, 0, 0}},
		{"marker", strip(100, func(c *LeafCall, q *Request) { c.Markers = []string{q.ID} }), RungMarker, [3]int{950, 0, 0}},
		{"the last turn of a conversation", strip(100, func(c *LeafCall, q *Request) { c.Markers = []string{"r-000001", q.ID} }), RungMarker, [3]int{950, 0, 0}},
		{"two rungs", strip(40, func(c *LeafCall, q *Request) { c.Markers = []string{q.ID} }), RungTrace, [3]int{950, 0, 0}},
		{"a new trace, and a marker", strip(100, func(c *LeafCall, q *Request) {
			c.Trace, c.Markers = "4bf92f3577b34da6a3ce929d0e0e4736", []string{q.ID}
		}), RungMarker, [3]int{950, 0, 0}},
		{"1 % lost", strip(1, nothing), RungTrace, [3]int{940, 10, 0}},
		{"2 % lost", strip(2, nothing), RungTotals, [3]int{930, 20, 0}},
		{"all lost", strip(100, nothing), RungTotals, [3]int{0, 950, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Judge(c.scene.Journal).LeafCalls
			if counts := [3]int{got.Attributed, got.Orphans, got.Foreign}; counts != c.counts || got.Method != c.method {
				t.Errorf("%v by %s at %g, want %v by %s", counts, got.Method, got.Share, c.counts, c.method)
			}
			want := Held
			if c.method == RungTotals {
				want = Inconclusive
			}
			if f := c.scene.one(Attempts("ask").AtMost(3)); f.Status != want {
				t.Errorf("attempts %s: %s %s, want %s", f.Status, f.Reason, f.Detail, want)
			}
			if f := c.scene.one(Amplification("").AtMost(1.6)); f.Status != Held || *f.Value < 1.16 || *f.Value > 1.17 {
				t.Errorf("amplification %s %v %s %s, want held: totals are enough", f.Status, f.Value, f.Reason, f.Detail)
			}
		})
	}
}

func TestTotalsSayNothingOfOneEndpoint(t *testing.T) {
	s := fullScene()
	for i := range s.Calls {
		s.Calls[i].Trace = ""
	}
	s.add("chat", "fault", 0, 1)
	if f := s.one(Amplification("ask").AtMost(1.6)); f.Reason != AttributionTooLow {
		t.Errorf("got %s %q, want attribution_too_low", f.Status, f.Reason)
	}
	if f := s.one(InFlight("ask").AtMost(100)); f.Reason != AttributionTooLow {
		t.Errorf("got %s %q, want attribution_too_low", f.Status, f.Reason)
	}
	if f := s.one(InFlight("").AtMost(100)); f.Status != Held {
		t.Errorf("got %s %q, want held: all calls together need no request", f.Status, f.Reason)
	}
}

// Calls of another run are foreign; requests that make no call are not lost.
func TestForeignCallsAndCachedRequests(t *testing.T) {
	s := fullScene()
	q := s.add("ask", "fault", 0, 1) // no call: a cache
	for range 100 {
		s.add("ask", "baseline", 0, 1)
	}
	s.call(q, "primary").Trace = TraceID(43, 7)
	s.call(q, "primary").Trace = ""
	c := s.call(q, "primary")
	c.Trace, c.Markers = "", []string{"r-999999"}
	c = s.call(q, "primary")
	c.Trace, c.Header = "", "r-888888"
	got := Judge(s.Journal).LeafCalls
	if got.Foreign != 3 || got.Orphans != 1 || got.Share != 1 {
		t.Errorf("foreign %d, orphans %d, share %g; want 3, 1 and 1", got.Foreign, got.Orphans, got.Share)
	}
}

func TestSerialLoadNeedsNoId(t *testing.T) {
	s := emptyScene()
	s.Run.Experiment.Load.Shape = Shape{Serial: 30}
	s.Windows[0].Wanted, s.Windows[0].Fired = 30, 30
	for _, phase := range []string{"baseline", "fault"} {
		for i := range 30 {
			q := s.add("ask", phase, i, 30)
			for n := range map[string]int{"baseline": 1, "fault": 27}[phase] {
				c := s.call(q, "primary")
				c.Trace, c.BodyHash, c.Arrived = "", "same", q.Sent+Seconds(n)*milli
			}
		}
	}
	v := Judge(s.Journal, LeafCalls("ask").Equals(27), Amplification("ask").AtMost(27))
	if v.Status != Held || v.LeafCalls.Method != RungSerial || v.LeafCalls.Amplification != 27 {
		t.Errorf("%s by %s, amplification %g: %+v", v.Status, v.LeafCalls.Method, v.LeafCalls.Amplification, v.Findings)
	}
	s.Run.Experiment.Load.Shape = Shape{Rate: 3}
	if v = Judge(s.Journal); v.LeafCalls.Method != RungTotals {
		t.Errorf("an open loop was attributed by %s", v.LeafCalls.Method)
	}
}

func TestReports(t *testing.T) {
	s := fullScene().each("ask", "fault", 3, failed)
	s.Calls[0].HungUp, s.Calls[0].TokensOut = "caller", 17
	s.Health = Health{LoadLateness: 2 * milli, ProviderLateness: milli / 2}
	s.Journal.End.Calls = map[string]int{"primary": 960, "fallback": 0}
	s.call(&s.Requests[0], "primary").Arrived = -second
	s.Calls[len(s.Calls)-1].Trace = ""
	v := Judge(s.Journal)
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"faults":[{"name":"unavailable","kind":"unavailable","to":"primary","planned":null,"matched":100,"fired":50,"requests_reached":50,"late":0}]`,
		`"requests":{"total":1800,"by_endpoint":{"ask":{"failed":3,"ok":897},"search":{"ok":900}}}`,
		`"total":960,"attributed":950,"orphans":1,"foreign":0,"method":"traceparent","attribution":1`,
		`"per_request":{"mean":1.0555555555555556,"p99":2,"max":2,"histogram":{"1":850,"2":50}}`,
		`"wasted_tokens":17`,
		`"load_lateness_p99_ms":2,"provider_lateness_p99_ms":0.5,"not_sent":0,"valid":true`,
		`1 leaf call arrived before the first request`,
		`"phases":[{"name":"baseline","start_s":0,"end_s":10}`,
		`"started":"2026-01-02T03:04:05Z","duration_s":31`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("result.json lacks %s:\n%s", want, text)
		}
	}
}

func TestIDs(t *testing.T) {
	if got := RequestID(123); got != "r-000123" {
		t.Error(got)
	}
	trace := TraceID(42, 123)
	if len(trace) != 32 || !strings.HasSuffix(trace, "000000000000007b") {
		t.Error(trace)
	}
	if got, want := Marker(42, 123), "brownout-"+trace[:8]+"-r-000123"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if TraceID(1, 1)[:16] == TraceID(2, 1)[:16] || TraceID(42, 123) != trace {
		t.Error("trace ids do not depend on the seed alone")
	}
}
