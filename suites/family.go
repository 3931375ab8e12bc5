package suites

import (
	"fmt"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
)

// A Family is one ready-made question to any service.
type Family struct {
	Name  string // label in Ginkgo, such as "stalled-stream"
	Title string // what is claimed
	// Fits is the kind of hypothesis that a service without protection breaks.
	Fits string
	// Streams asks for endpoints with a streamed answer, where there are any.
	Streams bool
	// Fault is how long the fault phase is.
	Fault time.Duration
	// Rules are the faults, all in the phase named fault.
	Rules []faults.Rule
	// Claims are the hypotheses beside those of every family.
	Claims []hypotheses.Hypothesis
}

// Families lists the ready-made experiments, provider faults first.
func Families() []Family {
	return []Family{
		rateLimitRetryAfter(), rateLimit(), stalledStream(), malformedJSON(),
		slowFirstToken(), burst503(), networkLatency(), networkReset(),
	}
}

const (
	faultPhase = "fault"
	perSecond  = 50              // of requests and of bystanders: 6 s are 300, enough for "p99" and "none"
	patience   = 3 * time.Second // the p99 that every family claims
)

// Experiment is the family's question to the service. The service must have a
// provider and an endpoint that is no bystander.
func (f Family) Experiment(s hypotheses.Service) (hypotheses.Experiment, error) {
	mix := f.mix(s)
	if len(mix) == 0 {
		return hypotheses.Experiment{}, fmt.Errorf("family %s: the service has no endpoint that is no bystander", f.Name)
	}
	primary, err := s.PrimaryProvider()
	if err != nil {
		return hypotheses.Experiment{}, fmt.Errorf("family %s: %w", f.Name, err)
	}
	e := hypotheses.Experiment{
		Title:   f.Title,
		Service: s,
		Seed:    1,
		Load: hypotheses.Load{
			Shape: hypotheses.Shape{Rate: perSecond},
			Mix:   mix,
			Phases: []hypotheses.Phase{
				{Name: hypotheses.PhaseWarmup, For: time.Second},
				{Name: hypotheses.PhaseBaseline, For: 6 * time.Second},
				{Name: faultPhase, For: f.Fault},
				{Name: hypotheses.PhaseRecovery, For: 6 * time.Second},
			},
		},
		Hypotheses: hypotheses.Claims(f.claims(s)...),
	}
	if len(s.EndpointNames(true)) > 0 {
		e.Load.Bystanders = perSecond
	}
	for _, rule := range f.Rules {
		e.Faults = append(e.Faults, rule.Toward(primary).During(faultPhase))
	}
	return e, e.Check()
}

// mix picks the endpoints that can feel the fault.
func (f Family) mix(s hypotheses.Service) map[string]float64 {
	fitting, all := map[string]float64{}, map[string]float64{}
	for _, name := range s.EndpointNames(false) {
		all[name] = 1
		if s.Endpoints[name].Stream.IsZero() != f.Streams {
			fitting[name] = 1
		}
	}
	if len(fitting) > 0 {
		return fitting
	}
	return all
}

// claims are the hypotheses of every family, as far as the service can answer
// them, and the family's own.
func (f Family) claims(s hypotheses.Service) []hypotheses.Hypothesis {
	list := []hypotheses.Hypothesis{
		hypotheses.Latency("").Quantile(0.99).Below(patience).In(faultPhase),
		hypotheses.Attempts("").AtMost(3).In(faultPhase),
	}
	if len(s.EndpointNames(true)) > 0 {
		list = append(list, hypotheses.Errors(hypotheses.Bystanders).AtMost(0))
	}
	if canFallBack(s) {
		list = append(list, hypotheses.Fallbacks("").Below(0.40).AboveBaseline(1).In(faultPhase))
	}
	return append(list, f.Claims...)
}

// canFallBack reports whether a fallback of the service could be seen at all.
func canFallBack(s hypotheses.Service) bool {
	if len(s.Providers) > 1 {
		return true
	}
	for _, e := range s.Endpoints {
		if e.DegradedWhen != "" {
			return true
		}
	}
	return false
}
