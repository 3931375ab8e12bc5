package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// The exit codes.
const (
	exitHeld         = 0
	exitRefuted      = 1
	exitError        = 2
	exitInconclusive = 3
	exitAborted      = 4
)

// exitCode is the code of one verdict, under the policy for inconclusive ones.
func exitCode(v hypotheses.Verdict, policy inconclusivePolicy) int {
	switch v.Status {
	case hypotheses.Held:
		return exitHeld
	case hypotheses.Refuted:
		return exitRefuted
	case hypotheses.Aborted:
		return exitAborted
	}
	for _, f := range v.Findings {
		if f.Status == hypotheses.Inconclusive && !policy.passes(f.Reason) {
			return exitInconclusive
		}
	}
	return exitHeld
}

// worse folds the codes of several experiments: 2 wins over 1 over 4 over 3.
func worse(a, b int) int {
	rank := []int{exitHeld, exitInconclusive, exitAborted, exitRefuted, exitError}
	if slices.Index(rank, b) > slices.Index(rank, a) {
		return b
	}
	return a
}

// inconclusivePolicy says which inconclusive hypotheses pass with a warning.
// Its text is fail, warn, or warn:REASON,REASON.
type inconclusivePolicy struct {
	warn    bool
	reasons []hypotheses.Reason // nil: all of them
}

// UnmarshalText reads the policy.
func (p *inconclusivePolicy) UnmarshalText(text []byte) error {
	word, list, narrowed := strings.Cut(string(text), ":")
	*p = inconclusivePolicy{warn: word == "warn"}
	if word != "warn" && (word != "fail" || narrowed) {
		return fmt.Errorf("%q is no policy: want fail, warn, or warn:REASON,REASON", text)
	}
	if !narrowed {
		return nil
	}
	known := []string{}
	for _, r := range hypotheses.Reasons() {
		known = append(known, string(r))
	}
	for _, name := range strings.Split(list, ",") {
		if !slices.Contains(known, name) {
			return unknownName(fmt.Sprintf("%q is no reason of an inconclusive hypothesis", name), name, known)
		}
		p.reasons = append(p.reasons, hypotheses.Reason(name))
	}
	return nil
}

func (p inconclusivePolicy) passes(reason hypotheses.Reason) bool {
	return p.warn && (p.reasons == nil || slices.Contains(p.reasons, reason))
}
