package hypotheses_test

import (
	"testing"

	. "github.com/brownout-chaos/brownout/hypotheses"
)

// TestHeldNeedsWhatItLooksAt are runs in which a claim would hold only because
// the harness did not see: each is inconclusive, with its reason.
func TestHeldNeedsWhatItLooksAt(t *testing.T) {
	type row struct {
		scene *scene
		claim Hypothesis
		want  Reason
	}
	tests := map[string]row{}
	add := func(name string, s *scene, claim Hypothesis, want Reason) { tests[name] = row{s, claim, want} }
	orphans := fullScene()
	orphans.each("ask", "fault", 300, func(q *Request) {
		for range 8 {
			c := orphans.fail(q)
			c.Trace, c.Arrived = "", q.Sent+5*milli
		}
	})
	add("calls under the fault carry no id", orphans, Attempts("ask").AtMost(3), AttributionTooLow)

	add("their mean is not known either", orphans, Amplification("ask").AtMost(1.5), AttributionTooLow)

	mixed := fullScene()
	mixed.Run.Experiment.Load.Phases[0].Shape = Shape{Serial: 300}
	for i := range mixed.Calls {
		mixed.Calls[i].Trace = ""
	}
	add("a serial baseline says nothing of users who overlap", mixed, LeafCalls("ask").AtMost(3), AttributionTooLow)

	down := fullScene()
	down.Windows[0].Network, down.Windows[0].Kind, down.Windows[0].Name = true, "down", "down"
	add("the port was closed", down, Attempts("ask").AtMost(3), NoLeafCalls)

	never := fullScene()
	never.Windows = nil
	add("the fault was never on", never, Errors("ask").AtMost(0).In("fault"), FaultNotObserved)

	failed := fullScene()
	failed.Windows[0].Failed = "no port"
	add("the fault could not be switched", failed, Errors("ask").AtMost(0), Infrastructure)

	n := 0
	unsent := fullScene().each("ask", "recovery", 300, func(q *Request) {
		if n++; n%3 != 0 {
			q.Outcome, q.Status, q.End, q.Sent = NotSent, 0, 0, 0
		}
	})
	add("recovery was not driven", unsent, Recovery("ask").Within(3*sec), LoadNotDelivered)
	add("recovery could not be read", fullScene().each("ask", "recovery", 300, func(q *Request) { q.ExprError = "boom" }),
		Recovery("ask").Within(3*sec), ExpressionError)

	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := Judge(test.scene.Journal, test.claim).Findings[0]
			if f.Status != Inconclusive || f.Reason != test.want {
				t.Errorf("got %s %s (%s), want inconclusive %s", f.Status, f.Reason, f.Detail, test.want)
			}
		})
	}
}
