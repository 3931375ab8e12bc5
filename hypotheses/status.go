package hypotheses

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A StatusSpec is the claim of [Status] in files: which statuses users see.
type StatusSpec struct {
	Scope `json:",inline"`
	Bound `json:",inline"`
	Only  []int `json:"only,omitempty"` // exactly one of Only and Never is set; 0 is no answer
	Never []int `json:"never,omitempty"`
}

// A StatusClaim is a hypothesis about which statuses users see.
type StatusClaim struct {
	StatusSpec `json:",inline"`
}

// Status claims which statuses users of an endpoint see; 0 is no answer. By
// itself it is hard: [StatusClaim.Only] means no other, [StatusClaim.Never]
// means none of these. With a bound it is about the share of requests that see
// one of the statuses named: at least so many for Only, at most for Never.
func Status(of string) StatusClaim { return StatusClaim{StatusSpec{Scope: Scope{Of: of}}} }

// Only names the statuses that users may see; 0 is no answer.
func (c StatusClaim) Only(statuses ...int) StatusClaim { c.StatusSpec.Only = statuses; return c }

// Never names statuses that users may not see; 0 is no answer.
func (c StatusClaim) Never(statuses ...int) StatusClaim { c.StatusSpec.Never = statuses; return c }

// AtMost bounds the share, 0 to 1, from above; 0 is a hard bound.
func (c StatusClaim) AtMost(share float64) StatusClaim { c.Bound.AtMost = numberLimit(share); return c }

// AtLeast bounds the share, 0 to 1, from below; 1 is a hard bound.
func (c StatusClaim) AtLeast(share float64) StatusClaim {
	c.Bound.AtLeast = numberLimit(share)
	return c
}

// In looks at one phase.
func (c StatusClaim) In(phase string) StatusClaim { c.StatusSpec.In.Phase = phase; return c }

// After leaves out the start of the phase that [StatusClaim.In] names.
func (c StatusClaim) After(d time.Duration) StatusClaim { c.StatusSpec.In.After = d; return c }

// Confidence is the confidence of the answer, above 0.5 and below 1.
func (c StatusClaim) Confidence(p float64) StatusClaim { c.StatusSpec.Confidence = &p; return c }

// MinSamples is the number of samples without which the claim cannot hold.
func (c StatusClaim) MinSamples(n int) StatusClaim { c.StatusSpec.MinSamples = &n; return c }

// Kind is "status".
func (StatusClaim) Kind() string { return "status" }

// Says is the claim in words.
func (c StatusClaim) Says() string {
	return "status" + c.Scope().words() + c.listed() + c.Bound.words() + c.Scope().span()
}

// Scope is what the claim is about.
func (c StatusClaim) Scope() Scope { return c.StatusSpec.Scope }

// Check reports a claim that can never be judged.
func (c StatusClaim) Check() error {
	only, never := c.StatusSpec.Only, c.StatusSpec.Never
	if (len(only) > 0) == (len(never) > 0) {
		return fmt.Errorf("status: want exactly one of only and never, such as only: [200, 429]")
	}
	for _, code := range append(slices.Clone(only), never...) {
		if code != 0 && (code < 100 || code > 599) {
			return fmt.Errorf("status: %d is no status: want 100 to 599, or 0 for no answer", code)
		}
	}
	if err := withoutOutcome(c.Kind(), c.Scope()); err != nil {
		return err
	}
	keys := []string{"below", "at_most"}
	if len(only) > 0 {
		keys = []string{"above", "at_least"}
	}
	return checkClaim(c.Kind(), c.Scope(), c.Bound, boundRule{unit: ofShare, keys: keys, relative: true, optional: true})
}

// listed is what the claim says of statuses: " only 200, 429", " never 500"; a
// bound says the rest: " 500 at most 0.01".
func (c StatusClaim) listed() string {
	word, codes := " only ", c.StatusSpec.Only
	if len(codes) == 0 {
		word, codes = " never ", c.StatusSpec.Never
	}
	if c.Bound != (Bound{}) {
		word = " "
	}
	return word + strings.Trim(strings.ReplaceAll(fmt.Sprint(codes), " ", ", "), "[]")
}

// effective is the bound, or the hard one that goes without saying.
func (c StatusClaim) effective() Bound {
	switch {
	case c.Bound != (Bound{}):
		return c.Bound
	case len(c.StatusSpec.Only) > 0:
		return Bound{AtLeast: numberLimit(1)}
	}
	return Bound{AtMost: numberLimit(0)}
}

func (c StatusClaim) need(s settings) need {
	n := shareNeed(s, c.effective())
	n.good = len(c.StatusSpec.Only) > 0
	return n
}

func (c StatusClaim) judge(e *evidence) Finding {
	codes := append(slices.Clone(c.StatusSpec.Only), c.StatusSpec.Never...)
	listed := func(q *Request) bool { return slices.Contains(codes, q.Status) }
	return e.judgeShare(c.effective(), listed, "had such a status", "had another status")
}
