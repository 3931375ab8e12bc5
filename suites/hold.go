package suites

import (
	"fmt"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/report"
)

// A Matcher is a Gomega matcher by its shape; see [Hold].
type Matcher struct {
	claims  []hypotheses.Hypothesis
	verdict hypotheses.Verdict
}

// Hold matches a [hypotheses.Journal] in which all claims held; without claims,
// those of the journal's own experiment. A refuted claim does not match. A
// claim that is inconclusive is an error of the matcher, so both To(Hold) and
// ToNot(Hold) fail: no data proves neither. The messages show the judgement of
// each claim, never the data.
func Hold(claims ...hypotheses.Hypothesis) *Matcher { return &Matcher{claims: claims} }

// Match judges the journal. It is part of Gomega's matcher interface.
func (m *Matcher) Match(actual any) (bool, error) {
	j, ok := actual.(hypotheses.Journal)
	if !ok {
		return false, fmt.Errorf("Hold judges a hypotheses.Journal, got %T: pass what suites.Run returned", actual)
	}
	m.verdict = hypotheses.Judge(j, m.claims...)
	switch m.verdict.Status {
	case hypotheses.Held:
		return true, nil
	case hypotheses.Refuted:
		return false, nil
	}
	return false, fmt.Errorf("the run decides nothing (%s)\n%s", m.verdict.Status, m.lines())
}

// FailureMessage says which claims were refuted.
func (m *Matcher) FailureMessage(any) string {
	return fmt.Sprintf("experiment %q: refuted\n%s", m.verdict.Experiment, m.lines())
}

// NegatedFailureMessage says that every claim held.
func (m *Matcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("experiment %q: held, and was expected to be refuted\n%s", m.verdict.Experiment, m.lines())
}

func (m *Matcher) lines() string { return strings.Join(report.Lines(m.verdict), "\n") }
