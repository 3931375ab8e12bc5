package hypotheses

import (
	"fmt"
	"slices"
)

// Values of [Scope] Outcome.
const (
	outcomeAny      = "any"
	outcomeOK       = "ok"
	outcomeFailed   = "failed"
	outcomeDegraded = "degraded"
)

func outcomes() []string { return []string{outcomeAny, outcomeOK, outcomeFailed, outcomeDegraded} }

// words names the requests: " of ask", " of failed ask", "".
func (s Scope) words() string {
	outcome := ""
	if s.Outcome != "" && s.Outcome != outcomeAny {
		outcome = s.Outcome + " "
	}
	switch {
	case s.Of != "":
		return " of " + outcome + s.Of
	case outcome != "":
		return " of " + outcome + "requests"
	}
	return ""
}

// span is when the claim looks, in words with a leading space; "" where the
// default applies.
func (s Scope) span() string {
	if s.In.IsZero() {
		return ""
	}
	if s.In.After > 0 {
		return fmt.Sprintf(" in %s after %v", s.In.Phase, s.In.After)
	}
	return " in " + s.In.Phase
}

// check reports a scope that nothing can lie in.
func (s Scope) check() error {
	switch {
	case s.Outcome != "" && !slices.Contains(outcomes(), s.Outcome):
		return fmt.Errorf("outcome is %q: want %s", s.Outcome, orList(outcomes()))
	case s.In.Phase == PhaseWarmup || s.In.Phase == PhaseDrain:
		return fmt.Errorf("in is %q: that phase is not judged", s.In.Phase)
	case s.In.Phase == "" && s.In.After != 0:
		return fmt.Errorf("in has after without a phase: want {phase: NAME, after: 2s}")
	case s.In.After < 0:
		return fmt.Errorf("in: after is %v: want 0s or more", s.In.After)
	case s.Confidence != nil && !(*s.Confidence > 0.5 && *s.Confidence < 1):
		return fmt.Errorf("confidence is %g: want a number above 0.5 and below 1, such as 0.95", *s.Confidence)
	case s.MinSamples != nil && *s.MinSamples < 1:
		return fmt.Errorf("min_samples is %d: want 1 or more", *s.MinSamples)
	}
	return nil
}

// checkClaim checks scope and bound of a claim and names the kind in the error.
func checkClaim(kind string, s Scope, b Bound, rule boundRule) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	if err := b.check(rule); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

// withoutOutcome refuses an outcome where the kind is about outcomes itself.
func withoutOutcome(kind string, s Scope) error {
	if s.Outcome != "" && s.Outcome != outcomeAny {
		return fmt.Errorf("%s: outcome does not apply: the kind counts outcomes itself", kind)
	}
	return nil
}
