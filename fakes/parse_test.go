package fakes_test

import (
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

func TestParseRules(t *testing.T) {
	const file = `
- {first: 2, rate_limit: {retry_after: 2s}}
- name: slow
  match: {model: "gpt-4o*", body: len(messages) > 1}
  share: 0.5
  stall: {after: 5 chunks}
`
	rules, err := fakes.ParseRules("faults.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) != 2 || rules[0].Title() != "rate_limit 1" || rules[1].Title() != "slow" {
		t.Fatalf("got %+v", rules)
	}
	if stall, ok := rules[1].Fault.(faults.Stall); !ok || stall.After != faults.Chunks(5) || *rules[1].Trigger.Share != 0.5 {
		t.Errorf("got %+v", rules[1])
	}
	p, _ := start(t)
	p.Inject(rules...)
	if got := call(t, p, plainChat); got != 429 {
		t.Errorf("got %d, want 429", got)
	}
}

func TestParseRulesRefuses(t *testing.T) {
	for file, want := range map[string]string{
		"":                                               "faults.yaml: the file is empty",
		"- {unavailabel: {}}":                            `did you mean "unavailable"?`,
		"- {first: 1}":                                   "faults.yaml:1:3",
		"- {reset: {}, first: 0}":                        "faults.yaml:1:3: [0]: first and every count calls",
		"- {reset: {}}\n- {network: {down: {}}}":         "faults.yaml:2:3: [1]: network is a fault of the network",
		"- {reset: {}, match: {body: len(}}":             "match.body",
		"- {reset: {}, phase: fault}":                    "hint: remove to, phase, at and for",
		"- {reset: {}, to: primary}":                     "hint: remove to, phase, at and for",
		"- {reset: {}, at: 1s, for: 2s}":                 "hint: remove to, phase, at and for",
		"- {name: a, reset: {}}\n- {name: a, empty: {}}": `faults.yaml:2:10: [1].name: the name "a" is already that of fault 1`,
	} {
		if _, err := fakes.ParseRules("faults.yaml", []byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", file, err, want)
		}
	}
}
