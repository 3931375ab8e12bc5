package hypotheses_test

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
)

const (
	second = hypotheses.Seconds(time.Second)
	milli  = hypotheses.Seconds(time.Millisecond)
)

// A scene builds the journal of a run with the phases baseline, fault and
// recovery of 10 s each, an endpoint ask that makes one leaf call, a bystander
// search that makes none, and one fault on primary during the whole phase
// fault.
type scene struct {
	hypotheses.Journal
	seq int
}

// perPhase is how many requests of each endpoint a full scene has in each
// phase.
const perPhase = 300

func emptyScene() *scene {
	s := &scene{}
	s.Run = hypotheses.Run{
		Tool: "brownout test", Seed: 42, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Experiment: hypotheses.Experiment{
			Title: "a test", Seed: 42,
			Service: hypotheses.Service{
				Subject:   hypotheses.Subject{URL: "http://127.0.0.1:1"},
				Providers: map[string]hypotheses.Provider{"primary": {}, "fallback": {}},
				Endpoints: map[string]hypotheses.Endpoint{
					"ask":    {Request: "POST /ask"},
					"chat":   {Request: "POST /chat", Stream: hypotheses.Stream{Preset: "sse"}},
					"search": {Request: "GET /search", Bystander: true},
				},
			},
			Load: hypotheses.Load{
				Shape: hypotheses.Shape{Rate: 30}, Bystanders: 30,
				Phases: []hypotheses.Phase{
					{Name: "baseline", For: 10 * time.Second}, {Name: "fault", For: 10 * time.Second}, {Name: "recovery", For: 10 * time.Second},
				},
			},
			Faults: []faults.Rule{faults.On(faults.Unavailable{}).Toward("primary").During("fault")},
		},
	}
	s.Phases = []hypotheses.PhaseSpan{
		{Name: "baseline", Start: 0, End: 10 * second},
		{Name: "fault", Start: 10 * second, End: 20 * second},
		{Name: "recovery", Start: 20 * second, End: 30 * second},
	}
	s.Windows = []hypotheses.Window{{
		Rule: 0, Name: "unavailable", Kind: "unavailable", To: "primary",
		Start: 10*second + milli, End: 20*second + milli, Matched: 100, Fired: 50,
	}}
	s.End = hypotheses.End{At: 31 * second}
	return s
}

// fullScene has 300 good requests of ask and of search in each phase; the
// first 50 of ask in the fault phase meet the fault and are answered by the
// second attempt.
func fullScene() *scene {
	s := emptyScene()
	s.Requests = make([]hypotheses.Request, 0, 6*perPhase) // pointers from add stay good
	for _, phase := range []string{"baseline", "fault", "recovery"} {
		for i := range perPhase {
			q := s.add("ask", phase, i, perPhase)
			if phase == "fault" && i < 50 {
				s.fail(q)
			}
			s.call(q, "primary")
		}
		for i := range perPhase {
			s.add("search", phase, i, perPhase)
		}
	}
	return s
}

// add appends request i of n of a phase: good, answered after 100 ms.
func (s *scene) add(endpoint, phase string, i, n int) *hypotheses.Request {
	s.seq++
	for _, p := range s.Phases {
		if p.Name != phase {
			continue
		}
		planned := p.Start + (p.End-p.Start)*hypotheses.Seconds(i)/hypotheses.Seconds(n)
		s.Requests = append(s.Requests, hypotheses.Request{
			ID: hypotheses.RequestID(s.seq), Seq: s.seq, Endpoint: endpoint, Phase: phase,
			Trace: hypotheses.TraceID(42, s.seq), Planned: planned, Sent: planned + milli,
			Headers: planned + 50*milli, FirstContent: planned + 60*milli, End: planned + 100*milli,
			Status: 200, Outcome: hypotheses.OK, Events: 5, MaxGap: 10 * milli,
		})
	}
	return &s.Requests[len(s.Requests)-1]
}

// call appends a good leaf call of the request.
func (s *scene) call(q *hypotheses.Request, provider string) *hypotheses.LeafCall {
	at := q.Sent
	if n := len(s.Calls); n > 0 && s.Calls[n-1].Trace == q.Trace {
		at = s.Calls[n-1].Arrived + milli
	}
	s.Calls = append(s.Calls, hypotheses.LeafCall{
		ID: int64(len(s.Calls) + 1), Provider: provider, API: "chat", Arrived: at, End: at + 20*milli,
		Status: 200, BodyHash: "h" + q.ID, Trace: q.Trace, Achieved: hypotheses.Effect{End: "clean"},
	})
	return &s.Calls[len(s.Calls)-1]
}

// fail appends a leaf call on which the fault fired.
func (s *scene) fail(q *hypotheses.Request) *hypotheses.LeafCall {
	c := s.call(q, "primary")
	c.Status, c.Fault = 503, "unavailable"
	return c
}

// each changes the first n requests of an endpoint in a phase.
func (s *scene) each(endpoint, phase string, n int, change func(*hypotheses.Request)) *scene {
	for i := range s.Requests {
		if q := &s.Requests[i]; n > 0 && q.Endpoint == endpoint && q.Phase == phase {
			change(q)
			n--
		}
	}
	return s
}

// drop takes requests of an endpoint in a phase away until n are left.
func (s *scene) drop(endpoint, phase string, n int) *scene {
	kept := []hypotheses.Request{}
	for _, q := range s.Requests {
		if q.Endpoint == endpoint && q.Phase == phase {
			if n--; n < 0 {
				continue
			}
		}
		kept = append(kept, q)
	}
	s.Requests = kept
	return s
}

func failed(q *hypotheses.Request) {
	q.Outcome, q.Status, q.Error = hypotheses.Failed, 503, hypotheses.ErrStatus
}

func degraded(q *hypotheses.Request) { q.Outcome = hypotheses.Degraded }

func slow(q *hypotheses.Request) { q.End = q.Planned + 4*second }

// one is the only finding about the claim.
func (s *scene) one(h hypotheses.Hypothesis) hypotheses.Finding {
	return hypotheses.Judge(s.Journal, h).Findings[0]
}
