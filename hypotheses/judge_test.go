package hypotheses_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/brownout-chaos/brownout/hypotheses"
)

const sec = time.Second

// A judgement is what is expected of a claim about a scene.
type judgement struct {
	name   string
	scene  *scene
	claim  Hypothesis
	status State
	reason Reason
	detail string // part of it
}

func judgeAll(t *testing.T, list []judgement) {
	t.Helper()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			if err := c.claim.Check(); err != nil {
				t.Fatal(err)
			}
			f := c.scene.one(c.claim)
			if f.Status != c.status || f.Reason != c.reason || !strings.Contains(f.Detail, c.detail) {
				t.Errorf("%s\n got %s %q %q\nwant %s %q %q", f.Says, f.Status, f.Reason, f.Detail, c.status, c.reason, c.detail)
			}
			if (f.Reason == "") != (f.Status != Inconclusive) {
				t.Errorf("status %s with reason %q", f.Status, f.Reason)
			}
		})
	}
}

func TestQuantiles(t *testing.T) {
	p99 := Latency("ask").Quantile(0.99).Below(3 * sec)
	over := func(n int) *scene { return fullScene().each("ask", "fault", n, slow) }
	judgeAll(t, []judgement{
		{"300 with none over", over(0), p99, Held, "", "300 requests, 0 over"},
		{"299 with none over", fullScene().drop("ask", "fault", 299), p99, Held, "", "299 requests, 0 over"},
		{"298 with none over", fullScene().drop("ask", "fault", 298), p99, Inconclusive, TooFewSamples,
			"298 requests, 299 needed: raise rate to 31/s or the fault phase to 11s"},
		{"300 with one over", over(1), p99, Inconclusive, IntervalStraddles, "1 over: at most 0 hold, 7 refute"},
		{"300 with six over", over(6), p99, Inconclusive, IntervalStraddles, "6 over"},
		{"300 with seven over", over(7), p99, Refuted, "", "300 requests, 7 over: at most 0 may be"},
		{"p95 holds with some over", over(3), Latency("ask").Quantile(0.95).Below(3 * sec), Held, "", "3 over"},
		{"one slow sample refutes no median", fullScene().drop("ask", "fault", 4).drop("ask", "recovery", 1).each("ask", "recovery", 1, slow),
			Latency("ask").In("recovery").Below(3 * sec).Quantile(0.5), Inconclusive, TooFewSamples, "1 request, 5 needed"},
		{"failures are infinite", fullScene().each("ask", "fault", 7, failed), p99, Refuted, "", "7 over"},
		{"the bound itself is not below", fullScene().each("ask", "fault", 7, func(q *Request) { q.End = q.Planned + 3*second }), p99, Refuted, "", "7 over"},
		{"the bound itself is at most", fullScene().each("ask", "fault", 7, func(q *Request) { q.End = q.Planned + 3*second }),
			Latency("ask").AtMost(3 * sec), Held, "", "0 over"},
		{"how fast failure is told", fullScene().each("ask", "fault", 299, failed),
			Latency("ask").Outcome("failed").Below(sec), Held, "", "299 requests, 0 over"},
		{"failures told late", fullScene().each("ask", "fault", 299, func(q *Request) { failed(q); slow(q) }),
			Latency("ask").Outcome("failed").Below(sec), Refuted, "", "299 over"},
		{"unfinished is infinite", fullScene().each("ask", "fault", 7, func(q *Request) { failed(q); q.End = 0 }),
			Latency("ask").Outcome("failed").Quantile(0.5).Below(sec), Refuted, "", "7 over"},
		{"the largest is hard", over(1), Latency("ask").Quantile(1).Below(3 * sec), Refuted, "", "none may be"},
		{"no largest over", over(0), Latency("ask").Quantile(1).Below(3 * sec), Held, "", "rules out a rate above 0.99%"},
		{"hard with 99 % confidence", over(0), Latency("ask").Quantile(1).Below(3 * sec).Confidence(0.99), Inconclusive, TooFewSamples, "459 needed"},
		{"above: felt", over(299), Latency("ask").Quantile(0.5).Above(3 * sec), Held, "", "1 under"},
		{"above: not felt", over(0), Latency("ask").Quantile(0.5).Above(3 * sec), Refuted, "", "300 under"},
		{"relative, held", over(0), Latency("ask").BelowBaseline(1.5), Held, "", "0 over"},
		{"relative, refuted", over(7), Latency("ask").BelowBaseline(1.5), Refuted, "", "7 over"},
		{"relative without baseline", fullScene().drop("ask", "baseline", 0), Latency("ask").BelowBaseline(1.5), Inconclusive, TooFewSamples, "baseline"},
		{"first token, held", over(0), FirstToken("ask").Below(sec), Held, "", ""},
		{"first token, refuted", fullScene().each("ask", "fault", 7, func(q *Request) { q.FirstContent = q.Planned + 2*second }),
			FirstToken("ask").Below(sec), Refuted, "", "7 over"},
		{"no token is infinite", fullScene().each("ask", "fault", 7, func(q *Request) { q.FirstContent = 0 }),
			FirstToken("ask").Below(sec), Refuted, "", "7 over"},
		{"chunk gap of no stream", over(0), ChunkGap("ask").Below(sec), Inconclusive, TooFewSamples, "0 requests"},
		{"chunk gap, held", streams(), ChunkGap("ask").Below(sec), Held, "", "0 over"},
		{"chunk gap, refuted", streams().each("ask", "fault", 7, func(q *Request) { q.MaxGap = second }), ChunkGap("ask").Below(sec), Refuted, "", "7 over"},
		{"silence is infinite", streams().each("ask", "fault", 7, func(q *Request) { q.Silent = true }), ChunkGap("ask").Below(sec), Refuted, "", "7 over"},
		{"a reported error ends the gap", streams().each("ask", "fault", 7, failed), ChunkGap("ask").Below(sec), Held, "", "0 over"},
		{"no stream at all is infinite", streams().each("ask", "fault", 7, func(q *Request) { failed(q); q.Events = 0 }), ChunkGap("ask").Below(sec), Refuted, "", "7 over"},
	})
}

// streams is a scene in which ask streams.
func streams() *scene {
	s := fullScene()
	s.Run.Experiment.Service.Endpoints["ask"] = Endpoint{Request: "POST /ask", Stream: Stream{Preset: "sse"}}
	return s
}

func TestRates(t *testing.T) {
	ask := func(n int, change func(*Request)) *scene { return fullScene().each("ask", "fault", n, change) }
	elsewhere := func(n int) *scene {
		s := fullScene()
		s.each("ask", "fault", n, func(q *Request) { s.call(q, "fallback").Arrived += second })
		return s
	}
	judgeAll(t, []judgement{
		{"errors, hard, held", fullScene(), Errors("ask").AtMost(0), Held, "", "300 requests, 0 failed: rules out a rate above 0.99%"},
		{"errors, hard, 299", fullScene().drop("ask", "fault", 299), Errors("ask").AtMost(0), Held, "", "299 requests"},
		{"errors, hard, 298", fullScene().drop("ask", "fault", 298), Errors("ask").AtMost(0), Inconclusive, TooFewSamples, "298 requests, 299 needed"},
		{"errors, hard, one", ask(1, failed), Errors("ask").AtMost(0), Refuted, "", "300 requests, 1 failed: none may be"},
		{"errors, hard, one of five", ask(1, failed).drop("ask", "fault", 5), Errors("ask").AtMost(0), Refuted, "", "5 requests, 1 failed"},
		{"errors, hard, own minimum", fullScene().drop("ask", "fault", 100), Errors("ask").AtMost(0).MinSamples(100), Held, "", "rules out a rate above 3%"},
		{"errors, rate, held", ask(1, failed), Errors("ask").AtMost(0.02), Held, "", "1 failed"},
		{"errors, rate, refuted", ask(20, failed), Errors("ask").AtMost(0.02), Refuted, "", "20 failed: at most 1 may be"},
		{"errors, rate, open", ask(5, failed), Errors("ask").AtMost(0.02), Inconclusive, IntervalStraddles, "5 failed"},
		{"errors, rate, too few", fullScene().drop("ask", "fault", 100), Errors("ask").AtMost(0.02), Inconclusive, TooFewSamples, "100 requests, 149 needed"},
		{"fallbacks by flag, held", ask(60, degraded), Fallbacks("ask").Below(0.40).AboveBaseline(1), Held, "", ""},
		{"fallbacks by flag, too many", ask(200, degraded), Fallbacks("ask").Below(0.40), Refuted, "", "200 fell back"},
		{"fallbacks by ledger, held", elsewhere(60), Fallbacks("ask").Below(0.40).AboveBaseline(1), Held, "", ""},
		{"fallbacks by ledger, refuted", elsewhere(60), Fallbacks("ask").AtMost(0.10), Refuted, "", "60 fell back"},
		{"no fallback is not above the baseline", fullScene(), Fallbacks("ask").AboveBaseline(1), Inconclusive, IntervalStraddles, "300 did not fall back: at most 293 hold, and the bound is too near"},
		{"no better than a perfect baseline", fullScene(), Errors("ask").BelowBaseline(1), Inconclusive, IntervalStraddles, "baseline + 1%"},
		{"fallbacks above, refuted", fullScene(), Fallbacks("ask").Above(0.1), Refuted, "", "300 did not fall back"},
		{"above 0 needs one", fullScene(), Fallbacks("ask").Above(0), Inconclusive, IntervalStraddles, ""},
		{"above 0 has one", ask(1, degraded), Fallbacks("ask").Above(0), Held, "", ""},
		{"a failed request is no fallback", func() *scene { return elsewhere(60).each("ask", "fault", 60, failed) }(),
			Fallbacks("ask").AtMost(0), Held, "", "0 fell back"},
		{"goodput, held", ask(3, degraded), Goodput("ask").AtLeast(0.95), Held, "", "3 not good"},
		{"goodput, refuted", ask(30, failed), Goodput("ask").AtLeast(0.95), Refuted, "", "30 not good"},
		{"goodput, late is not good", ask(30, slow), Goodput("ask").Within(3 * sec).AtLeast(0.95), Refuted, "", "30 not good"},
		{"goodput, late and nobody asked", ask(30, slow), Goodput("ask").AtLeast(0.95), Held, "", "0 not good"},
		{"goodput of 1 is hard", ask(1, degraded), Goodput("ask").AtLeast(1), Refuted, "", "none may be"},
		{"goodput of 1, held", fullScene(), Goodput("ask").AtLeast(1), Held, "", "rules out"},
		{"goodput relative", fullScene(), Goodput("ask").AboveBaseline(0.95), Held, "", ""},
		{"share, held", ask(30, failed), Share("ask").Where("status == 503").Below(0.2), Held, "", "30 match"},
		{"share, refuted", ask(90, failed), Share("ask").Where("status == 503").Below(0.2), Refuted, "", "90 match"},
		{"share by calls", fullScene(), Share("ask").Where("calls >= 2").AtLeast(0.1), Held, "", ""},
		{"share by who answered", elsewhere(60), Share("ask").Where(`answered_by == "fallback"`).AtMost(0.1), Refuted, "", "60 match"},
		{"share by latency", ask(60, slow), Share("ask").Where(`latency > duration("3s")`).AtMost(0.1), Refuted, "", "60 match"},
		{"status only, held", fullScene(), Status("ask").Only(200), Held, "", "0 had another status"},
		{"status only, refuted", ask(1, failed), Status("ask").Only(200, 429), Refuted, "", "1 had another status"},
		{"status never, held", fullScene(), Status("ask").Never(500, 503), Held, "", ""},
		{"status never, refuted", ask(1, failed), Status("ask").Never(500, 503), Refuted, "", "1 had such a status"},
		{"status as a rate", ask(1, failed), Status("ask").Never(503).AtMost(0.02), Held, "", ""},
		{"status only as a rate", ask(30, failed), Status("ask").Only(200).AtLeast(0.95), Refuted, "", ""},
	})
}

func TestCounts(t *testing.T) {
	more := func(requests, calls int) *scene {
		s := fullScene()
		s.each("ask", "fault", requests, func(q *Request) {
			for range calls {
				s.fail(q)
			}
		})
		return s
	}
	judgeAll(t, []judgement{
		{"attempts, held", fullScene(), Attempts("ask").AtMost(3), Held, "", "300 requests, 0 over"},
		{"attempts, refuted", more(1, 7), Attempts("ask").AtMost(3), Refuted, "", "9 calls, no SDK header"},
		{"attempts, one of five", more(1, 7).drop("ask", "fault", 5), Attempts("ask").AtMost(3), Refuted, "", ""},
		{"attempts, 30", fullScene().drop("ask", "fault", 30), Attempts("ask").AtMost(3), Held, "", "30 requests"},
		{"attempts, 29", fullScene().drop("ask", "fault", 29), Attempts("ask").AtMost(3), Inconclusive, TooFewSamples, "29 requests, 30 needed"},
		{"attempts that never arrived", with(func(s *scene) {
			s.Windows[0].Wanted, s.Windows[0].Fired = 1, 1
			s.Calls = slices.DeleteFunc(s.Calls, func(c LeafCall) bool { return c.Arrived > 10*second && c.Arrived < 20*second })
		}), Attempts("ask").AtMost(3), Inconclusive, NoLeafCalls, "nobody saw"},
		{"leaf calls, held", fullScene(), LeafCalls("ask").AtMost(2), Held, "", ""},
		{"leaf calls, refuted", fullScene(), LeafCalls("ask").AtMost(1), Refuted, "", "50 over"},
		{"leaf calls to a provider", fullScene(), LeafCalls("ask").To("fallback").AtMost(0), Held, "", ""},
		{"leaf calls of an api", fullScene(), LeafCalls("ask").API("models").AtMost(0), Held, "", ""},
		{"leaf calls with a condition", fullScene(), LeafCalls("ask").Where("call.status == 503 and call.attempt == 1").AtMost(0), Refuted, "", "50 over"},
		{"leaf calls relative, held", more(300, 1), LeafCalls("ask").AtMostBaseline(3), Held, "", ""},
		{"leaf calls relative, refuted", more(300, 1), LeafCalls("ask").AtMostBaseline(2), Refuted, "", "50 over"},
		{"leaf calls exactly", fullScene().drop("ask", "fault", 50), LeafCalls("ask").Equals(2), Held, "", ""},
		{"leaf calls exactly, under", fullScene(), LeafCalls("ask").Equals(2), Refuted, "", "0 over, 250 under"},
		{"leaf calls of the bystander", fullScene(), LeafCalls("search").AtMost(0), Held, "", "600 requests"},
		{"calls per request, held", fullScene(), Calls("ask").Where("call.status == 503").AtMost(1), Held, "", ""},
		{"calls per request, refuted", fullScene(), Calls("ask").Where("call.status == 503").AtMost(0), Refuted, "", "50 over"},
		{"calls per second, held", fullScene(), Calls("ask").Where("true").Per(sec).AtMost(62), Held, "", "10 windows"},
		{"calls per second, refuted", fullScene(), Calls("ask").Where("true").Per(sec).AtMost(40), Refuted, "", ""},
		{"calls per 5 s are two", fullScene(), Calls("ask").Where("true").Per(5 * sec).AtMost(1000), Inconclusive, TooFewSamples, "2 windows, 5 needed"},
		{"in flight, held", fullScene(), InFlight("ask").To("primary").AtMost(5), Held, "", ""},
		{"in flight, refuted", more(1, 7), InFlight("").AtMost(5), Refuted, "", ""},
		{"in flight of another", more(1, 7), InFlight("").To("fallback").AtMost(5), Inconclusive, TooFewSamples, "0 calls"},
		{"in flight relative", more(1, 7), InFlight("").AtMostBaseline(1), Refuted, "", ""},
		{"amplification, held", fullScene(), Amplification("ask").AtMost(1.3), Held, "", "1.17 calls per request, 1 in the baseline"},
		{"amplification, refuted", more(300, 1), Amplification("ask").AtMost(1.5), Refuted, "", ""},
		{"amplification, open", fullScene(), Amplification("ask").AtMost(1.17), Inconclusive, IntervalStraddles, ""},
		{"amplification, too few", fullScene().drop("ask", "fault", 20), Amplification("ask").AtMost(4), Inconclusive, TooFewSamples, "20 requests, 30 needed"},
		{"amplification above", fullScene(), Amplification("ask").Above(1.05), Held, "", ""},
	})
}

func TestRecovery(t *testing.T) {
	within := Recovery("ask").Within(3 * sec)
	judgeAll(t, []judgement{
		{"at once", fullScene(), within, Held, "", "back 0s after the fault"},
		{"after two seconds", fullScene().each("ask", "recovery", 60, failed), within, Held, "", "back 1."},
		{"after four seconds", fullScene().each("ask", "recovery", 120, failed), within, Refuted, "", "back only 3."},
		{"fallbacks that stay", fullScene().each("ask", "recovery", 300, degraded), within, Refuted, "", "not back 4."},
		{"not back in a run that ends", fullScene().each("ask", "recovery", 300, failed), Recovery("ask").Within(6 * sec), Inconclusive, TooFewSamples,
			"it must go on for 11"},
		{"no baseline", fullScene().drop("ask", "baseline", 0), within, Inconclusive, NoSteadyState, "baseline"},
	})
}

func TestSplitOfAttempts(t *testing.T) {
	for _, c := range []struct {
		name    string
		retries []int
		want    string
	}{
		{"a loop around the SDK", []int{0, 1, 2, 0, 1, 2, 0, 1, 2}, "r-000001: 3 outer x 3 SDK attempts"},
		{"the loop alone", []int{0, 0, 0, 0}, "r-000001: 4 outer x 1 SDK attempts"},
		{"the SDK alone", []int{0, 1, 2, 3}, "r-000001: 1 outer x 4 SDK attempts"},
		{"cut short", []int{0, 1, 2, 0, 1}, "r-000001: 5 calls in 2 outer attempts, up to 3 SDK attempts each"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := emptyScene()
			s.Windows[0].Wanted = 1
			q := s.add("ask", "fault", 0, 1)
			for i, n := range c.retries {
				call := s.fail(q)
				call.SDKRetry = &n
				call.Arrived = q.Sent + Seconds(i)*milli
			}
			if f := s.one(Attempts("ask").AtMost(3)); f.Detail != c.want || f.Status != Refuted {
				t.Errorf("got %s %q, want %q", f.Status, f.Detail, c.want)
			}
		})
	}
}

func TestFindingHasNumbers(t *testing.T) {
	s := fullScene().each("ask", "fault", 10, slow)
	f := s.one(Latency("ask").Quantile(0.95).Below(3 * sec))
	if f.Kind != "latency" || f.Says != "p95 latency of ask below 3s during fault" || f.Of != "ask" || f.Phase != "fault" {
		t.Errorf("wrong words: %+v", f)
	}
	if *f.Value != 0.1 || *f.Bound != 3 || f.Unit != "s" || f.Samples != 300 || f.Confidence != 0.95 {
		t.Errorf("wrong numbers: %+v", f)
	}
	if len(f.Evidence) != 5 || f.Evidence[0] != "r-000601" {
		t.Errorf("evidence %v, want the five slowest", f.Evidence)
	}
	f = s.one(Latency("ask").Quantile(0.99).Below(3 * sec).In("fault"))
	if f.Says != "p99 latency of ask below 3s in fault" || *f.Value != 4 || *f.Interval[0] != 4 || *f.Interval[1] != 4 {
		t.Errorf("wrong interval of p99: %+v", f)
	}
	if f = s.drop("ask", "fault", 298).one(Latency("ask").Below(3 * sec)); f.Interval[1] != nil {
		t.Errorf("298 samples have no upper end of p99, got %v", *f.Interval[1])
	}
	if f = fullScene().each("ask", "fault", 10, failed).one(Latency("ask").Below(sec)); f.Value != nil {
		t.Errorf("value %v, want none: it is infinite", *f.Value)
	}
}

func TestFold(t *testing.T) {
	held, refuted, open := Errors("ask").AtMost(0), LeafCalls("ask").AtMost(1), Errors("ask").AtMost(0).MinSamples(1000)
	for _, c := range []struct {
		name    string
		claims  []Hypothesis
		aborted string
		want    State
	}{
		{"all held", []Hypothesis{held, held}, "", Held},
		{"one open", []Hypothesis{held, open}, "", Inconclusive},
		{"one refuted", []Hypothesis{held, open, refuted}, "", Refuted},
		{"aborted", []Hypothesis{held, open}, "a guard", Aborted},
		{"aborted and refuted", []Hypothesis{held, refuted}, "a guard", Refuted},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fullScene()
			s.Journal.End.AbortedBy = c.aborted
			if v := Judge(s.Journal, c.claims...); v.Status != c.want || v.AbortedBy != c.aborted {
				t.Errorf("got %s, want %s", v.Status, c.want)
			}
		})
	}
	if v := Judge(fullScene().Journal); v.Status != Inconclusive {
		t.Errorf("no hypothesis at all: %s, want inconclusive", v.Status)
	}
}

func TestAlive(t *testing.T) {
	s := fullScene()
	s.Run.Experiment.Service.Subject = Subject{Command: &Command{Run: []string{"x"}}}
	v := Judge(s.Journal, Errors("ask").AtMost(0))
	if len(v.Findings) != 2 || v.Findings[1].Kind != "alive" || v.Status != Held {
		t.Errorf("a command that lives: %s, %+v", v.Status, v.Findings)
	}
	s.Journal.End.Died = "exit status 2"
	if v = Judge(s.Journal, Errors("ask").AtMost(0)); v.Status != Refuted || v.Findings[1].Status != Refuted {
		t.Errorf("a command that died: %s", v.Status)
	}
}

// The hypotheses of the experiment are judged where none are given.
func TestJudgeTakesTheExperimentsHypotheses(t *testing.T) {
	s := fullScene()
	s.Run.Experiment.Hypotheses = Claims(Errors("ask").AtMost(0), Attempts("ask").AtMost(1))
	v := Judge(s.Journal)
	if len(v.Findings) != 2 || v.Findings[0].Status != Held || v.Findings[1].Status != Refuted {
		t.Errorf("got %+v", v.Findings)
	}
}

// The order in which records came into the journal changes nothing.
func TestVerdictIsDeterministic(t *testing.T) {
	claims := []Hypothesis{
		Latency("ask").Below(3 * sec), Errors("").AtMost(0), Fallbacks("ask").Below(0.4), Attempts("ask").AtMost(1),
		Amplification("").AtMost(1.17), Recovery("").Within(3 * sec), InFlight("").AtMost(2), Calls("").Where("true").Per(sec).AtMost(20),
	}
	verdict := func(s *scene) []byte {
		text, err := json.Marshal(Judge(s.Journal, claims...))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	want := verdict(fullScene())
	random := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		s := fullScene()
		random.Shuffle(len(s.Requests), func(i, k int) { s.Requests[i], s.Requests[k] = s.Requests[k], s.Requests[i] })
		random.Shuffle(len(s.Calls), func(i, k int) { s.Calls[i], s.Calls[k] = s.Calls[k], s.Calls[i] })
		if got := verdict(s); !bytes.Equal(got, want) {
			t.Fatalf("another order gave another verdict:\n%s\n%s", got, want)
		}
	}
}
