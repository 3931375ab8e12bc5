package run

import (
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/load"
)

// Plan is the journal of a run that has not happened: the planned requests,
// phases and fault windows, and nothing else. It touches nothing;
// [hypotheses.Preflight] says from it what the run could decide.
func Plan(e hypotheses.Experiment) hypotheses.Journal {
	requests, phases := load.Plan(e.Load, e.Service, e.Seed)
	return hypotheses.Journal{
		Run:      hypotheses.Run{Experiment: e, Seed: e.Seed, Recorded: e.Paths()},
		Phases:   phases,
		Windows:  planWindows(e, phases),
		Requests: requests,
	}
}

func planWindows(e hypotheses.Experiment, phases []hypotheses.PhaseSpan) []hypotheses.Window {
	spans := map[string]hypotheses.PhaseSpan{}
	whole := hypotheses.PhaseSpan{}
	for _, p := range phases {
		spans[p.Name] = p
		whole.End = max(whole.End, p.End)
	}
	windows := []hypotheses.Window{}
	for i, rule := range e.Faults {
		span := whole
		if rule.Phase != "" {
			span = spans[rule.Phase]
		}
		start, end := span.Start, span.End
		if rule.At != nil {
			start += hypotheses.Seconds(*rule.At)
		}
		if rule.For != nil {
			end = min(end, start+hypotheses.Seconds(*rule.For))
		}
		windows = append(windows, hypotheses.Window{
			Rule: i, Name: e.RuleTitle(i), Kind: rule.Fault.Kind(), To: e.Target(rule),
			Start: start, End: end, Planned: rule.Trigger.Share, Wanted: wanted(rule),
		})
	}
	return windows
}
