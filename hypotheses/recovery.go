package hypotheses

import (
	"fmt"
	"time"
)

// A RecoverySpec is the claim of [Recovery] in files: how long the service takes to recover.
type RecoverySpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
}

// A RecoveryClaim is a hypothesis about how long the service takes to recover.
type RecoveryClaim struct {
	RecoverySpec `json:",inline"`
}

// Recovery claims how long the service takes to recover: the time from the end
// of the last fault to the start of the first window of 5 s and 50 requests
// (whichever is longer) in which goodput is at least 95 % of the baseline's and
// fallbacks are at most one percentage point above the baseline's.
func Recovery(of string) RecoveryClaim { return RecoveryClaim{RecoverySpec{Scope: Scope{Of: of}}} }

// Within is the longest recovery allowed.
func (c RecoveryClaim) Within(d time.Duration) RecoveryClaim { c.Bound.Within = timeLimit(d); return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c RecoveryClaim) Confidence(p float64) RecoveryClaim { c.RecoverySpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c RecoveryClaim) MinSamples(n int) RecoveryClaim { c.RecoverySpec.MinSamples = &n; return c }

// Kind is "recovery".
func (RecoveryClaim) Kind() string { return "recovery" }

// Says is the claim in words.
func (c RecoveryClaim) Says() string { return "recovery" + c.Scope().words() + c.Bound.words() }

// Scope is what the claim is about.
func (c RecoveryClaim) Scope() Scope { return c.RecoverySpec.Scope }

// Check reports a claim that can never be judged.
func (c RecoveryClaim) Check() error {
	if err := withoutOutcome(c.Kind(), c.Scope()); err != nil {
		return err
	}
	if !c.Scope().In.IsZero() {
		return fmt.Errorf("recovery: in does not apply: it is measured from the end of the last fault")
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofTime, keys: []string{"within"}})
}

func (c RecoveryClaim) need(s settings) need {
	n := need{timed: true, outcomes: true, baseline: true}
	if s.providers > 1 {
		n.calls = callsPerRequest // fallbacks must be back at the baseline
	}
	if c.Bound.Within != nil {
		n.bound = c.Bound.Within.Value
	}
	return n
}

func (c RecoveryClaim) judge(e *evidence) Finding {
	limit := c.Bound.Within.Value
	f := e.finding("s", 0, side{set: true, value: limit}, side{})
	after := e.afterFault()
	f.Samples = len(after)
	base := e.wellness(e.baseline())
	switch {
	case len(e.journal.Windows) == 0:
		f.Reason, f.Detail = FaultNotObserved, "no fault was active"
		return f
	case base.good == 0:
		f.Reason, f.Detail = NoSteadyState, "the baseline has no good answer to come back to"
		return f
	}
	back := e.comeback(after, base)
	f.Evidence = firstIDs(back.unwell)
	switch {
	case back.found && back.at <= limit:
		f.Status, f.Value, f.Detail = Held, &back.at, fmt.Sprintf("back %s after the fault", inWords(back.at))
	case back.found:
		f.Status, f.Value, f.Detail = Refuted, &back.at, fmt.Sprintf("back only %s after the fault", inWords(back.at))
	case back.watched > limit:
		f.Status, f.Detail = Refuted, fmt.Sprintf("not back %s after the fault", inWords(back.watched))
	default:
		f.Reason = TooFewSamples
		f.Detail = fmt.Sprintf("not back when the run ended: it must go on for %s after the fault",
			inWords(limit+e.recoveryWindow(len(after))))
	}
	return f
}
