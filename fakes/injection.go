package fakes

import (
	"fmt"
	"sync/atomic"

	"github.com/brownout-chaos/brownout/faults"
)

// An Injection is a set of rules that [Provider.Inject] made active.
type Injection struct {
	rules   *rules
	members []*rule
}

// A RuleCount says what a rule did.
type RuleCount struct {
	Name      string // the rule's title
	Matched   int    // calls that matched and that no earlier rule had taken
	Fired     int    // calls that got the fault
	Undecided int    // calls for which match.body could not be evaluated: they did not match
}

type tally struct{ matched, fired, undecided atomic.Int64 }

// Inject makes the rules active, behind those that are already. Names, shares
// and counts go by [faults.Rule.Title], which the caller keeps unique. The
// rules' To and Window are not looked at: where and when is the caller's to
// decide, with Inject and [Injection.Lift].
//
// It panics at a rule that fails its Check, has a match.body that is no
// expression, or is a fault of the network. Input from outside is checked
// first; [ParseRules] does.
func (p *Provider) Inject(list ...faults.Rule) *Injection {
	inj := &Injection{rules: &p.rules}
	for _, r := range list {
		compiled, err := newRule(r)
		if err != nil {
			panic(fmt.Sprintf("fakes: inject %q: %v", r.Title(), err))
		}
		inj.members = append(inj.members, compiled)
	}
	p.rules.add(inj.members)
	return inj
}

// Lift makes the rules inactive; it may be called again. No call that comes
// later is touched or counted. A call that is being answered keeps its fault:
// a stalled or hung one stays so until its caller leaves or the provider
// closes.
func (inj *Injection) Lift() { inj.rules.remove(inj.members) }

// Counts says what each rule did so far, in the order of injection.
func (inj *Injection) Counts() []RuleCount {
	counts := []RuleCount{}
	for _, r := range inj.members {
		counts = append(counts, RuleCount{
			Name:      r.title,
			Matched:   int(r.matched.Load()),
			Fired:     int(r.fired.Load()),
			Undecided: int(r.undecided.Load()),
		})
	}
	return counts
}
