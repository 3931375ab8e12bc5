package suites_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/suites"
)

// journal is a run without faults: n answers of ask, the last failed of which
// failed.
func journal(n, failed int) hypotheses.Journal {
	second := hypotheses.Seconds(time.Second)
	j := hypotheses.Journal{
		Run: hypotheses.Run{Experiment: hypotheses.Experiment{
			Title:   "hold",
			Service: hypotheses.Service{Endpoints: map[string]hypotheses.Endpoint{"ask": {Request: "GET /"}}},
		}},
		Phases: []hypotheses.PhaseSpan{{Name: "load", End: hypotheses.Seconds(n) * second}},
		End:    hypotheses.End{At: hypotheses.Seconds(n) * second, Requests: n},
	}
	for i := range n {
		at := hypotheses.Seconds(i) * second
		r := hypotheses.Request{
			ID: hypotheses.RequestID(i + 1), Seq: i + 1, Endpoint: "ask", Phase: "load",
			Planned: at, Sent: at, Headers: at + second/2, End: at + second/2, Status: 200, Outcome: hypotheses.OK,
		}
		if i >= n-failed {
			r.Status, r.Outcome, r.Error = 500, hypotheses.Failed, hypotheses.ErrStatus
		}
		j.Requests = append(j.Requests, r)
	}
	return j
}

func TestHold(t *testing.T) {
	claim := hypotheses.Latency("ask").Quantile(0.99).Below(3 * time.Second)
	tests := map[string]struct {
		journal hypotheses.Journal
		to      string // message of To(Hold); "": it passes
		toNot   string // message of ToNot(Hold); "": it passes
	}{
		"held":         {journal(300, 0), "", `experiment "hold": held, and was expected to be refuted`},
		"refuted":      {journal(300, 40), `experiment "hold": refuted`, ""},
		"inconclusive": {journal(50, 0), "the run decides nothing (inconclusive)", "the run decides nothing (inconclusive)"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, side := range []struct {
				name string
				want string
				try  func(g *gomega.WithT)
			}{
				{"To", test.to, func(g *gomega.WithT) { g.Expect(test.journal).To(suites.Hold(claim)) }},
				{"ToNot", test.toNot, func(g *gomega.WithT) { g.Expect(test.journal).ToNot(suites.Hold(claim)) }},
			} {
				message := ""
				side.try(gomega.NewWithT(&recorder{message: &message}))
				if side.want == "" && message != "" || !strings.Contains(message, side.want) {
					t.Errorf("%s: got %q, want %q", side.name, message, side.want)
				}
				if strings.Contains(message, "r-000001") && strings.Contains(message, "Planned") {
					t.Errorf("%s prints the journal, not the judgement:\n%s", side.name, message)
				}
			}
		})
	}
}

func TestHoldRefusesOtherTypes(t *testing.T) {
	_, err := suites.Hold().Match(42)
	if err == nil || !strings.Contains(err.Error(), "got int") {
		t.Errorf("got %v, want an error that names the type", err)
	}
}

// A recorder is a test that keeps the message of a failed expectation.
type recorder struct{ message *string }

func (r *recorder) Helper()                           {}
func (r *recorder) Fatalf(format string, args ...any) { *r.message = fmt.Sprintf(format, args...) }
