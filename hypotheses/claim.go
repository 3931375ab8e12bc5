package hypotheses

import "time"

// A Hypothesis is a claim: a probe (what is measured, of which requests, when)
// and a bound. The types of [Catalogue] are the only implementations; their
// constructors have the names of the keys of experiment files: [Latency],
// [Errors], [Attempts]...
type Hypothesis interface {
	// Kind is the key of the hypothesis in experiment files.
	Kind() string
	// Says is the claim in words: "p99 latency of ask below 3s during fault".
	Says() string
	// Check reports a claim that can never be judged, in words that name the
	// key and what was expected.
	Check() error
	// Scope is what the claim is about.
	Scope() Scope

	// need says how many samples could decide the claim.
	need(settings) need
	// judge answers the claim from the evidence. The gates (attribution,
	// lateness, fault observed, steady state) were passed or are noted in e.
	judge(*evidence) Finding
}

// Catalogue lists every hypothesis as a zero value, in the order of the
// documentation.
func Catalogue() []Hypothesis {
	return []Hypothesis{
		LatencyClaim{}, FirstTokenClaim{}, ChunkGapClaim{},
		ErrorsClaim{}, FallbacksClaim{}, GoodputClaim{},
		ShareClaim{}, CallsClaim{},
		AttemptsClaim{}, LeafCallsClaim{}, AmplificationClaim{},
		RecoveryClaim{}, InFlightClaim{}, StatusClaim{},
	}
}

// Scope is what a hypothesis is about. It is part of every entry of the list of
// hypotheses.
type Scope struct {
	Of         string   `json:"of,omitempty"`          // an endpoint, or "bystanders"; "": every endpoint that is no bystander
	In         Span     `json:"in,omitzero"`           // when; zero: while a fault is active, for bystanders until the end of recovery, without faults the whole run
	Outcome    string   `json:"outcome,omitempty"`     // of requests: any, ok, failed or degraded; "": any
	Confidence *float64 `json:"confidence,omitempty"`  // nil: the experiment's, 0.95
	MinSamples *int     `json:"min_samples,omitempty"` // nil: the experiment's, or what the kind needs
}

// Bystanders is the Of of claims about all bystander endpoints together.
const Bystanders = "bystanders"

// A Span is when a hypothesis looks. In files: the name of a phase, or
// {phase: NAME, after: 2s}.
type Span struct {
	Phase string        `json:"phase"`
	After time.Duration `json:"after,omitempty"` // leaves out the start of the phase
}

// IsZero reports whether the default applies.
func (s Span) IsZero() bool { return s == Span{} }

type spanFields struct {
	Phase string        `json:"phase"`
	After time.Duration `json:"after,omitempty"`
}

// UnmarshalYAML reads the name of a phase or the mapping.
func (s *Span) UnmarshalYAML(decode func(any) error) error {
	var name string
	if decode(&name) == nil {
		*s = Span{Phase: name}
		return nil
	}
	var f spanFields
	if err := decode(&f); err != nil {
		return err
	}
	*s = Span(f)
	return nil
}

// MarshalYAML writes what [Span.UnmarshalYAML] reads.
func (s Span) MarshalYAML() (any, error) {
	if s.After == 0 {
		return s.Phase, nil
	}
	return spanFields(s), nil
}

// Bound is the bound of a hypothesis. Which fields a kind takes is for the kind
// to say; at least one is set.
type Bound struct {
	Below   *Limit `json:"below,omitempty"`
	Above   *Limit `json:"above,omitempty"`
	AtMost  *Limit `json:"at_most,omitempty"`
	AtLeast *Limit `json:"at_least,omitempty"`
	Within  *Limit `json:"within,omitempty"`
	Equals  *Limit `json:"equals,omitempty"`
}
