package hypotheses_test

import (
	"strings"
	"testing"

	. "github.com/brownout-chaos/brownout/hypotheses"
)

// planned is the plan of a full scene: nothing was sent.
func planned(s *scene) Journal {
	for i, q := range s.Requests {
		s.Requests[i] = Request{ID: q.ID, Seq: q.Seq, Endpoint: q.Endpoint, Phase: q.Phase, Trace: q.Trace, Planned: q.Planned}
	}
	s.Calls = nil
	s.Windows[0].Start, s.Windows[0].End, s.Windows[0].Matched, s.Windows[0].Fired = 10*second, 20*second, 0, 0
	return s.Journal
}

func TestPreflight(t *testing.T) {
	few := func() *scene { return fullScene().drop("ask", "fault", 60).drop("search", "fault", 60) }
	for _, c := range []struct {
		name   string
		scene  *scene
		claim  Hypothesis
		want   Decision
		advice string
	}{
		{"p99 with 300", fullScene(), Latency("ask").Below(3 * sec), Decision{Planned: 300, Needed: 299, Allowed: 0, CanDecide: true}, ""},
		{"p95 with 300", fullScene(), Latency("ask").Quantile(0.95).Below(3 * sec), Decision{Planned: 300, Needed: 59, Allowed: 8, CanDecide: true}, ""},
		{"p99 with 60", few(), Latency("ask").Below(3 * sec), Decision{Planned: 60, Needed: 299},
			"60 samples planned, 299 needed: raise rate to 150/s or the fault phase to 50s"},
		{"bystanders", few(), Errors(Bystanders).AtMost(0).In("fault"), Decision{Planned: 60, Needed: 299},
			"60 samples planned, 299 needed: raise bystanders to 150/s or the fault phase to 50s"},
		{"bystanders until recovery", few(), Errors(Bystanders).AtMost(0), Decision{Planned: 360, Needed: 299, CanDecide: true}, ""},
		{"99 %", fullScene(), Errors("ask").AtMost(0).Confidence(0.99), Decision{Planned: 300, Needed: 459}, "459 needed"},
		{"own minimum", few(), Errors("ask").AtMost(0).MinSamples(50), Decision{Planned: 60, Needed: 50, CanDecide: true}, ""},
		{"a rate", few(), Fallbacks("ask").Below(0.40).AboveBaseline(1), Decision{Planned: 60, Needed: 30, Allowed: 17, CanDecide: true}, ""},
		{"attempts", few(), Attempts("ask").AtMost(3), Decision{Planned: 60, Needed: 30, CanDecide: true}, ""},
		{"relative without baseline", fullScene().drop("ask", "baseline", 0), Latency("ask").BelowBaseline(2), Decision{Planned: 300, Needed: 299},
			"0 requests planned in the baseline, 30 needed"},
		{"nothing planned", fullScene(), Latency("chat").Below(sec), Decision{Needed: 299}, "nothing of chat was planned in fault"},
		{"windows", fullScene(), Calls("").Where("true").Per(5 * sec).AtMost(10), Decision{Planned: 2, Needed: 5}, "2 samples planned, 5 needed"},
		{"recovery", fullScene(), Recovery("ask").Within(3 * sec), Decision{Planned: 300, Needed: 50, CanDecide: true}, ""},
		{"recovery that cannot be refuted", fullScene(), Recovery("ask").Within(8 * sec), Decision{Planned: 300, Needed: 50, CanDecide: true},
			"the plan goes on for 10s after the fault, a refutation needs 13s"},
		{"recovery of nobody", fullScene().drop("ask", "recovery", 20), Recovery("ask").Within(3 * sec), Decision{Planned: 20, Needed: 50}, "a window of recovery needs 25s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Preflight(planned(c.scene), c.claim)[0]
			if got.Planned != c.want.Planned || got.Needed != c.want.Needed || got.CanDecide != c.want.CanDecide || got.Allowed != c.want.Allowed {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if (got.Advice == "") != (c.advice == "") || !strings.Contains(got.Advice, c.advice) {
				t.Errorf("advice %q, want %q", got.Advice, c.advice)
			}
		})
	}
}

// What answers decide cannot be counted ahead: it is no reason to refuse.
func TestPreflightOfClosedLoops(t *testing.T) {
	s := emptyScene()
	s.Run.Experiment.Load.Shape = Shape{Users: 5}
	d := Preflight(planned(s), Latency("ask").Below(sec))[0]
	if !d.CanDecide || !strings.Contains(d.Advice, "not known ahead") {
		t.Errorf("users: %+v", d)
	}
	s.Run.Experiment.Load.Shape = Shape{Serial: 30}
	if d = Preflight(planned(s), Errors(Bystanders).AtMost(0))[0]; !d.CanDecide {
		t.Errorf("bystanders beside serial requests: %+v", d)
	}
	if d = Preflight(planned(s), Attempts("ask").AtMost(3))[0]; d.CanDecide {
		t.Errorf("no serial request of ask is planned: %+v", d)
	}
}

func TestPreflightTakesTheExperimentsHypotheses(t *testing.T) {
	s := fullScene()
	s.Run.Experiment.Hypotheses = Claims(Errors("ask").AtMost(0), Recovery("").Within(sec))
	if got := Preflight(planned(s)); len(got) != 2 || got[0].Kind != "errors" || got[0].Says != "errors of ask at most 0 during fault" {
		t.Errorf("got %+v", got)
	}
}
