package report_test

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
)

func number(x float64) *float64 { return &x }

// sample is a verdict with every state, unit and kind of gap that a report
// must cope with.
func sample() hypotheses.Verdict {
	return hypotheses.Verdict{
		Version: 1, Tool: "brownout 0.1.0", Experiment: "answers survive a provider that sheds a third of its calls", Seed: 42,
		Status: hypotheses.Refuted, AbortedBy: "abort_if: errors of bystanders above 20% for 5s: it was 31%",
		Started: "2026-03-04T05:06:07+01:00", DurationS: 47.1, Command: "brownout run experiment.yaml --seed 42",
		Phases:   []hypotheses.PhaseReport{{Name: "baseline", StartS: 2, EndS: 12}, {Name: "fault", StartS: 12, EndS: 32}},
		Findings: findings(),
		Faults: []hypotheses.FaultReport{
			{Name: "rate_limit", Kind: "rate_limit", To: "primary", Planned: number(0.33), Matched: 540, Fired: 178, RequestsReached: 176},
			{Name: "slow vectors", Kind: "latency", To: "vectors", Matched: 12, Fired: 12, RequestsReached: 1, Late: 2},
		},
		Requests: hypotheses.RequestReport{Total: 1350, ByEndpoint: map[string]map[hypotheses.Outcome]int{
			"ask":    {hypotheses.OK: 1180, hypotheses.Failed: 20, hypotheses.Degraded: 15},
			"search": {hypotheses.OK: 130, hypotheses.Failed: 0, hypotheses.NotSent: 3, hypotheses.Dropped: 2},
		}},
		LeafCalls: hypotheses.CallReport{
			Total: 1475, Attributed: 1475, Foreign: 4, Method: hypotheses.RungTrace, Share: 1,
			PerRequest: hypotheses.CallsPerRequest{Mean: 1.2139, P99: 3, Max: 27, Histogram: map[string]int{
				"1": 1010, "2": 150, "3": 45, "4": 3, "5": 2, "9": 2, "10": 1, "12": 1, "27": 1,
			}},
			Amplification: 1.2139, ByProvider: map[string]int{"primary": 1423, "fallback": 52}, WastedTokens: 1200,
		},
		Health: hypotheses.HealthReport{LoadLatenessP99MS: 0.8, ProviderLatenessP99MS: 0.5, Valid: true,
			Notes: []string{"stop service: it did not end within 2s of SIGTERM and was killed; what it had in its hands at that moment was lost"}},
	}
}

func findings() []hypotheses.Finding {
	return []hypotheses.Finding{
		{Kind: "latency", Says: "p99 latency of ask below 3s during fault", Of: "ask", Phase: "fault", Status: hypotheses.Held,
			Value: number(1.2399), Bound: number(3), Unit: "s", Samples: 540, Interval: []*float64{number(1.11), number(1.3849)}, Confidence: 0.95,
			Detail: "540 requests, 0 over", Evidence: []string{}},
		{Kind: "attempts", Says: "attempts of ask at most 3", Of: "ask", Phase: "fault", Status: hypotheses.Refuted,
			Value: number(9), Bound: number(3), Unit: "calls", Samples: 540, Confidence: 0.95,
			Detail: "r-000123: 3 outer x 3 SDK attempts", Evidence: []string{"r-000123", "r-000130"}},
		{Kind: "errors", Says: "errors of bystanders at most 0", Of: "bystanders", Phase: "fault", Status: hypotheses.Refuted,
			Value: number(0.0074), Bound: number(0), Unit: "share", Samples: 135, Interval: []*float64{number(0.0002), number(0.0405)}, Confidence: 0.95,
			Detail: "1 of 135 requests", Evidence: []string{"r-000131"}},
		{Kind: "latency", Says: "p99 latency of search below 50ms in fault", Of: "search", Phase: "fault", Status: hypotheses.Inconclusive,
			Value: number(0.012), Bound: number(0.05), Unit: "s", Samples: 60, Confidence: 0.95, Reason: hypotheses.TooFewSamples,
			Detail: "60 requests, 299 needed: raise bystanders to 15/s"},
		{Kind: "recovery", Says: "recovery of ask within 5s", Of: "ask", Phase: "recovery", Status: hypotheses.Aborted,
			Bound: number(5), Unit: "s", Detail: "the run was aborted before the end of the fault"},
		{Kind: "first_token", Says: "p95 time to first token of chat below 2s during fault", Of: "chat", Phase: "fault", Status: hypotheses.Refuted,
			Bound: number(2), Unit: "s", Samples: 120, Interval: []*float64{number(1.5), nil}, Detail: "120 requests, 14 without a token"},
		{Kind: "retry_budget", Says: "retries within the budget", Status: hypotheses.Undeclared, Detail: "the service promises no retry_budget"},
	}
}

func journalOf() hypotheses.Journal {
	return hypotheses.Journal{
		Run: hypotheses.Run{Tool: "brownout 0.1.0", Seed: 42, Experiment: hypotheses.Experiment{
			Title: "answers survive a provider that sheds a third of its calls",
			Service: hypotheses.Service{
				Subject:   hypotheses.Subject{URL: "http://127.0.0.1:8080"},
				Providers: map[string]hypotheses.Provider{"primary": {}},
				Endpoints: map[string]hypotheses.Endpoint{"ask": {Request: "POST /ask"}},
			},
			Seed: 42,
			Load: hypotheses.Load{Shape: hypotheses.Shape{Rate: hypotheses.PerSecond(30)},
				Phases: []hypotheses.Phase{{Name: "fault", For: 20 * time.Second}}},
			Faults:     []faults.Rule{faults.On(faults.Unavailable{}).During("fault")},
			Hypotheses: hypotheses.Claims(hypotheses.Latency("ask").Quantile(0.99).Below(3 * time.Second)),
		}},
		Requests: []hypotheses.Request{
			{ID: "r-000122", Seq: 122, Endpoint: "ask", Phase: "fault", Planned: 12.2e9, End: 12.5e9, Status: 200, Outcome: hypotheses.OK},
			{ID: "r-000123", Seq: 123, Endpoint: "ask", Phase: "fault", Planned: 12.31e9, End: 14.72e9, Status: 503, Outcome: hypotheses.Failed, Error: hypotheses.ErrStatus, Detail: "status 503"},
			{ID: "r-000131", Seq: 131, Endpoint: "search", Phase: "fault", Planned: 12.9e9, End: 72.9e9, Outcome: hypotheses.Failed,
				Error: hypotheses.ErrTimeout, Detail: "no answer\nwithin 60s"},
		},
	}
}

// hostile is a verdict whose texts try to break every format.
func hostile() hypotheses.Verdict {
	const text = "a|b\n</failure>]]> \x00\x1b[31m\u202e\xff & \"q\" 'q' `c` <b> @all #1 *x* _y_ $z"
	v := sample()
	v.Experiment, v.AbortedBy, v.Command, v.Tool = text, text, text, text
	v.Findings = []hypotheses.Finding{{Kind: "errors", Says: text, Status: hypotheses.Refuted, Detail: text, Evidence: []string{"r-000123"}}}
	v.Faults = []hypotheses.FaultReport{{Name: text, Kind: "reset", To: "primary"}}
	v.Health.Notes = []string{text}
	return v
}
