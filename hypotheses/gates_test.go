package hypotheses_test

import (
	"testing"

	. "github.com/brownout-chaos/brownout/hypotheses"
)

// with changes a full scene.
func with(change func(*scene)) *scene {
	s := fullScene()
	change(s)
	return s
}

func TestGates(t *testing.T) {
	errors, attempts, latency := Errors("ask").AtMost(0), Attempts("ask").AtMost(1), Latency("ask").Below(3*sec)
	quiet := func(s *scene) { // the fault never fired
		for i := range s.Calls {
			s.Calls[i].Fault, s.Calls[i].Status = "", 200
		}
		s.Windows[0].Fired = 0
	}
	lateLoad := func(s *scene) { s.Health.LoadLateness = 31 * milli }
	lateProvider := func(s *scene) { s.Health.ProviderLateness = 31 * milli }
	notSent := func(s *scene) {
		s.each("chat", "fault", 0, nil).each("ask", "fault", 1, func(q *Request) { q.Outcome = NotSent })
	}
	note := func(kind string) func(*scene) {
		return func(s *scene) { s.Notes = append(s.Notes, Note{Kind: kind, Text: "it broke"}) }
	}
	judgeAll(t, []judgement{
		{"no such phase", fullScene(), errors.In("later"), Inconclusive, TooFewSamples, "the run has no later"},
		{"no request", with(func(s *scene) { s.drop("ask", "fault", 0) }), errors, Inconclusive, TooFewSamples, "no request of ask in fault"},
		{"no sample", fullScene(), Latency("ask").Outcome("degraded").Below(sec), Inconclusive, TooFewSamples, "of 300 requests in fault none is a sample"},

		{"an expression of the endpoint", with(func(s *scene) { s.each("ask", "fault", 1, func(q *Request) { q.ExprError = "no such field" }) }), errors, Inconclusive, ExpressionError, "1 request, the first r-000601: no such field"},
		{"counts ask for no expression", with(func(s *scene) { s.each("ask", "fault", 1, func(q *Request) { q.ExprError = "no such field" }) }), attempts, Refuted, "", ""},
		{"an expression that fails", fullScene(), Share("ask").Where("int(error) == 1").AtMost(0.1), Inconclusive, ExpressionError, ""},
		{"a path that was not recorded", fullScene(), Share("ask").Where("body.cached == true").AtMost(0.1), Inconclusive, ExpressionError, "body.cached, which this run did not record"},

		{"no call at all", with(func(s *scene) { s.Calls = nil }), attempts, Inconclusive, NoLeafCalls, "no call reached a provider"},
		{"no call and none claimed", with(func(s *scene) { s.Calls = nil }), errors.In("baseline"), Held, "", ""},
		{"no call, and the claim is relative to them", with(func(s *scene) { s.Calls = nil }), Amplification("").AtMost(2), Inconclusive, NoLeafCalls, ""},

		{"not sent", with(notSent), errors, Inconclusive, LoadNotDelivered, "1 of 600 requests planned in fault were not sent"},
		{"not sent elsewhere", with(func(s *scene) { s.each("ask", "baseline", 1, func(q *Request) { q.Outcome = NotSent }) }), errors, Held, "", ""},
		{"not sent, and a counter-example", with(notSent), attempts, Refuted, "", ""},

		{"generator late", with(lateLoad), latency, Inconclusive, GeneratorLate, "31ms after their time at p99, 30ms is allowed"},
		{"generator late within 1 %", with(func(s *scene) { s.Health.LoadLateness = 30 * milli }), latency, Held, "", ""},
		{"generator late for a tight bound", with(func(s *scene) { s.Health.LoadLateness = 6 * milli }), Latency("ask").Below(sec / 5), Inconclusive, GeneratorLate, "5ms is allowed"},
		{"generator late for users with patience", with(lateLoad), errors, Held, "", ""},
		{"generator late, refuted is void too", with(func(s *scene) { lateLoad(s); s.each("ask", "fault", 300, slow) }), latency, Inconclusive, GeneratorLate, ""},
		{"generator late, and a counter-example", with(func(s *scene) { s.Health.LoadLateness = 10 * second }), attempts, Refuted, "", ""},
		{"generator late, counts that hold are void", with(func(s *scene) { s.Health.LoadLateness = 10 * second }), Attempts("ask").AtMost(3), Inconclusive, GeneratorLate, ""},

		{"provider late", with(lateProvider), latency, Inconclusive, ProviderLate, "31ms later than planned at p99, 30ms is allowed"},
		{"provider late, nothing timed", with(lateProvider), errors, Held, "", ""},

		{"fault not observed", with(quiet), errors, Inconclusive, FaultNotObserved, "unavailable fired 0 times on 100 looked at and reached 0 requests, 5 needed"},
		{"fault not observed, elsewhere", with(quiet), errors.In("baseline"), Held, "", ""},
		{"fault not observed, and a counter-example", with(func(s *scene) { quiet(s) }), attempts, Refuted, "", ""},
		{"fault did all it was told", with(func(s *scene) { quiet(s); s.Windows[0].Fired, s.Windows[0].Wanted = 2, 2 }), errors, Held, "", ""},
		{"network fault on every connection", with(func(s *scene) {
			quiet(s)
			s.Windows[0].Network, s.Windows[0].Fired, s.Windows[0].Matched, s.Windows[0].To = true, 2, 2, "vectors"
		}), errors, Held, "", ""},
		{"network fault on some connections", with(func(s *scene) {
			quiet(s)
			s.Windows[0].Network, s.Windows[0].Fired, s.Windows[0].To = true, 2, "vectors"
		}), errors, Inconclusive, FaultNotObserved, "fired 2 times on 100"},
		{"a target that is down", with(func(s *scene) {
			quiet(s)
			s.Windows[0].Network, s.Windows[0].Kind, s.Windows[0].Matched = true, "down", 0
		}), errors, Held, "", ""},
		{"a target that is down and that nobody calls", with(func(s *scene) {
			quiet(s)
			s.Windows[0].Network, s.Windows[0].Kind, s.Windows[0].To = true, "down", "fallback"
		}), errors, Inconclusive, FaultNotObserved, "reached 0 requests"},
		{"network fault under calls", with(func(s *scene) { quiet(s); s.Windows[0].Network, s.Windows[0].Fired = true, 2 }), errors, Held, "", ""},

		{"broken before", with(func(s *scene) { s.each("ask", "baseline", 1, failed).each("ask", "fault", 1, failed) }), errors, Inconclusive, NoSteadyState, "so it is in the baseline already: 300 requests, 1 failed"},
		{"broken before, held now", with(func(s *scene) { s.each("ask", "baseline", 1, failed) }), errors, Inconclusive, NoSteadyState, ""},
		{"broken before, lower bound of good", with(func(s *scene) { s.each("ask", "baseline", 200, failed) }), Goodput("ask").AtLeast(0.5), Inconclusive, NoSteadyState, ""},
		{"a lower bound of bad is no steady state", with(func(s *scene) { s.each("ask", "fault", 100, degraded) }), Fallbacks("ask").Above(0.1), Held, "", ""},
		{"exactly so many are no steady state", with(func(s *scene) { s.drop("ask", "fault", 50) }), LeafCalls("ask").Equals(2), Held, "", ""},
		{"attempts before", with(func(s *scene) { s.each("ask", "baseline", 1, func(q *Request) { s.call(q, "primary") }) }), attempts, Inconclusive, NoSteadyState, "2 calls"},

		{"clock", with(note("clock")), latency, Inconclusive, ClockSkew, "it broke"},
		{"clock, nothing timed", with(note("clock")), errors, Held, "", ""},
		{"infrastructure, refuted", with(func(s *scene) { note("infrastructure")(s); s.each("ask", "fault", 1, failed) }), errors, Inconclusive, Infrastructure, "it broke"},
		{"infrastructure, held", with(note("infrastructure")), errors, Held, "", ""},
		{"infrastructure, and a counter-example", with(note("infrastructure")), attempts, Refuted, "", ""},
		{"records dropped", with(func(s *scene) { s.Health.Evicted = 3 }), errors, Inconclusive, Infrastructure, "3 records were dropped"},
		{"records dropped, refuted all the same", with(func(s *scene) { s.Health.Evicted = 3 }), attempts, Refuted, "", ""},
	})
}

// The first gate in the documented order is the reason.
func TestPrecedenceOfGates(t *testing.T) {
	s := fullScene()
	claim := Share("ask").Where("status == 503 and calls > 0").AtMost(0)
	add := []struct {
		reason Reason
		change func()
	}{
		{Infrastructure, func() { s.Health.Evicted = 1 }},
		{NoSteadyState, func() { s.each("ask", "baseline", 1, failed) }},
		{FaultNotObserved, func() { s.Windows[0].Name = "another" }},
		{GeneratorLate, func() { s.Health.LoadLateness = 10 * second }},
		{LoadNotDelivered, func() { s.each("search", "fault", 5, func(q *Request) { q.Outcome = NotSent }) }},
		{AttributionTooLow, func() {
			for i := range s.Calls {
				s.Calls[i].Trace = ""
			}
		}},
		{TooFewSamples, func() { s.drop("ask", "fault", 0) }},
		{ExpressionError, func() { claim = claim.Where("body.x == 1") }},
	}
	for _, a := range add {
		a.change()
		if f := s.one(claim); f.Reason != a.reason {
			t.Errorf("reason %q, want %q: %s", f.Reason, a.reason, f.Detail)
		}
	}
}

// Without faults the whole run is judged, without warmup and drain.
func TestSpans(t *testing.T) {
	s := fullScene()
	s.Phases[0].Name = "warmup"
	for i := range s.Requests {
		if s.Requests[i].Phase == "baseline" {
			s.Requests[i].Phase = "warmup"
		}
	}
	s.each("ask", "warmup", 50, failed)
	for _, c := range []struct {
		name    string
		claim   Hypothesis
		phase   string
		samples int
	}{
		{"an endpoint", Errors("ask").AtMost(0), "fault", 300},
		{"bystanders", Errors(Bystanders).AtMost(0), "fault and recovery", 600},
		{"a bystander by name", Errors("search").AtMost(0), "fault and recovery", 600},
		{"every endpoint but bystanders", Errors("").AtMost(0), "fault", 300},
		{"a phase", Errors("ask").AtMost(0).In("recovery"), "recovery", 300},
		{"the rest of a phase", Errors("ask").AtMost(0).In("fault").After(9 * sec), "fault after 9s", 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := s.one(c.claim); f.Phase != c.phase || f.Samples != c.samples {
				t.Errorf("%d samples in %q, want %d in %q", f.Samples, f.Phase, c.samples, c.phase)
			}
		})
	}
	at, during := 2*sec, 3*sec
	s.Run.Experiment.Faults[0].At, s.Run.Experiment.Faults[0].For = &at, &during
	s.Windows[0].Start, s.Windows[0].End = 12*second, 15*second
	if f := s.one(Errors("ask").AtMost(0)); f.Phase != "fault windows" || f.Samples != 90 {
		t.Errorf("a fault of 3s: %d samples in %q, want 90 in its window", f.Samples, f.Phase)
	}
	s.Run.Experiment.Faults, s.Windows = nil, nil
	if f := s.one(Errors("ask").AtMost(0)); f.Phase != "whole run" || f.Samples != 600 || f.Says != "errors of ask at most 0 in the whole run" {
		t.Errorf("no fault: %q with %d samples in %q", f.Says, f.Samples, f.Phase)
	}
}
