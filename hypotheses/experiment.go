package hypotheses

import (
	"fmt"
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// An Experiment is one question to a service: under this load and these
// faults, do these hypotheses hold? Its fields are the keys of experiment
// files. The zero value of every optional field is its documented default.
type Experiment struct {
	Version    int           `json:"version,omitempty"` // 1; 0 means 1 in experiments built in Go
	Title      string        `json:"experiment"`        // what is claimed, in words
	Service    Service       `json:"service"`           // in files: a path, or the mapping inline
	Seed       uint64        `json:"seed,omitempty"`    // of every random choice; the same seed gives the same faults
	Load       Load          `json:"load"`
	Faults     []faults.Rule `json:"faults,omitempty"`
	Hypotheses []Claim       `json:"hypotheses,omitempty"`
	AbortIf    []Guard       `json:"abort_if,omitempty"`
	Limits     Limits        `json:"limits,omitzero"`
	Confidence *float64      `json:"confidence,omitempty"`  // of every hypothesis that names none; nil: 0.95
	MinSamples *int          `json:"min_samples,omitempty"` // of every hypothesis that names none; nil: what the kind needs
}

// A Claim is one entry of the list of hypotheses: a mapping with one key, the
// kind.
type Claim struct {
	Hypothesis Hypothesis `json:"-" oneof:"hypothesis"`
}

// Claims wraps hypotheses for [Experiment.Hypotheses].
func Claims(list ...Hypothesis) []Claim {
	claims := make([]Claim, len(list))
	for i, h := range list {
		claims[i].Hypothesis = h
	}
	return claims
}

// A Guard ends the run while a rate stays on the wrong side of its bound:
// errors, fallbacks or goodput, with above or below and for. YAML: abort_if:
// [errors: {of: bystanders, above: 0.2, for: 5s}].
type Guard struct {
	Errors    *GuardSpec `json:"errors,omitempty"`
	Fallbacks *GuardSpec `json:"fallbacks,omitempty"`
	Goodput   *GuardSpec `json:"goodput,omitempty"`
}

// A GuardSpec is the condition of a [Guard]. Exactly one bound is set.
type GuardSpec struct {
	Of    string        `json:"of"`              // an endpoint or "bystanders"
	Above *float64      `json:"above,omitempty"` // share, 0 to 1
	Below *float64      `json:"below,omitempty"` // share, 0 to 1
	For   time.Duration `json:"for"`             // over the answers of so long a time; at least 10 must lie in it
}

// Kind is the key of the guard's condition and the condition itself.
func (g Guard) Kind() (string, GuardSpec) {
	switch {
	case g.Errors != nil:
		return "errors", *g.Errors
	case g.Fallbacks != nil:
		return "fallbacks", *g.Fallbacks
	case g.Goodput != nil:
		return "goodput", *g.Goodput
	default:
		return "", GuardSpec{}
	}
}

// Says is the guard in words: "errors of bystanders above 20% for 5s".
func (g Guard) Says() string {
	kind, spec := g.Kind()
	side, bound := "above", spec.Above
	if bound == nil {
		side, bound = "below", spec.Below
	}
	if bound == nil {
		return kind + " of " + spec.Of
	}
	return fmt.Sprintf("%s of %s %s %g%% for %v", kind, spec.Of, side, 100**bound, spec.For)
}

// Target is the provider or dependency that a rule of the experiment applies
// to: the one it names, or the only provider.
func (e Experiment) Target(rule faults.Rule) string {
	if rule.To == "" && len(e.Service.Providers) == 1 {
		for name := range e.Service.Providers {
			return name
		}
	}
	return rule.To
}

// Limits stop a run that grows beyond its plan. Zero fields take twice the
// plan.
type Limits struct {
	Duration  time.Duration `json:"duration,omitempty"`
	Rate      Rate          `json:"rate,omitempty"`       // requests per second, bystanders included
	LeafCalls int           `json:"leaf_calls,omitempty"` // over all providers; zero: 100 per planned request
}
