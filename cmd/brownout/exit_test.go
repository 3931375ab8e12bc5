package main

import (
	"testing"

	"github.com/brownout-chaos/brownout/hypotheses"
)

func TestExitCode(t *testing.T) {
	few := hypotheses.Finding{Status: hypotheses.Inconclusive, Reason: hypotheses.TooFewSamples}
	late := hypotheses.Finding{Status: hypotheses.Inconclusive, Reason: hypotheses.GeneratorLate}
	tests := map[string]struct {
		status   hypotheses.State
		findings []hypotheses.Finding
		policy   string
		want     int
	}{
		"held":                       {hypotheses.Held, nil, "fail", 0},
		"refuted":                    {hypotheses.Refuted, []hypotheses.Finding{few}, "warn", 1},
		"aborted":                    {hypotheses.Aborted, nil, "warn", 4},
		"inconclusive":               {hypotheses.Inconclusive, []hypotheses.Finding{few}, "fail", 3},
		"inconclusive, warned":       {hypotheses.Inconclusive, []hypotheses.Finding{few, late}, "warn", 0},
		"inconclusive, one warned":   {hypotheses.Inconclusive, []hypotheses.Finding{few, late}, "warn:too_few_samples", 3},
		"inconclusive, both warned":  {hypotheses.Inconclusive, []hypotheses.Finding{few, late}, "warn:too_few_samples,generator_late", 0},
		"inconclusive, other warned": {hypotheses.Inconclusive, []hypotheses.Finding{few}, "warn:generator_late", 3},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var policy inconclusivePolicy
			if err := policy.UnmarshalText([]byte(test.policy)); err != nil {
				t.Fatal(err)
			}
			v := hypotheses.Verdict{Status: test.status, Findings: test.findings}
			if got := exitCode(v, policy); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
	for _, text := range []string{"pass", "fail:too_few_samples", "warn:", "warn:nonsense"} {
		var policy inconclusivePolicy
		if err := policy.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was taken for a policy", text)
		}
	}
}

func TestWorse(t *testing.T) {
	order := []int{exitHeld, exitInconclusive, exitAborted, exitRefuted, exitError}
	for i, a := range order {
		for k, b := range order {
			if got, want := worse(a, b), order[max(i, k)]; got != want {
				t.Errorf("worse(%d, %d) is %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestSlug(t *testing.T) {
	tests := map[string]string{
		"Answers survive: 429s!": "answers-survive-429s",
		"":                       "experiment",
		"../../etc":              "etc",
		"日本":                     "experiment",
	}
	for title, want := range tests {
		if got := slug(title); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}
