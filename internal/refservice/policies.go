package refservice

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// A Policy is one way to call a provider.
type Policy struct {
	Name    string // as in [Config]
	Summary string // one line
}

// Policies lists what [Start] can start.
func Policies() []Policy {
	list := []Policy{}
	for _, p := range policies() {
		list = append(list, p.Policy)
	}
	return list
}

// An answerer is a policy at work. Close releases what it holds, once no
// request runs.
type answerer interface {
	answer(context.Context, question) (answer, error)
	stream(context.Context, question, *events) (answer, error)
	close() error
}

// A question is what a user asks, with the headers that some policies forward.
type question struct {
	text        string
	requestID   string // X-Request-ID; "": none
	traceparent string // "": none
}

// An answer is what the user gets; the text of a streamed one has been sent.
type answer struct {
	Text     string `json:"answer"`
	Degraded bool   `json:"degraded"` // not by the provider that should have answered
	Provider string `json:"provider"` // primary or fallback
}

const (
	primaryName  = "primary"
	fallbackName = "fallback"
)

type builder struct {
	Policy
	build func(Config) (answerer, error)
}

func policies() []builder {
	return []builder{
		{Policy{"naive", "3 attempts around the SDK's own retries, no timeouts, no fallback: 9 leaf calls"}, newNaive},
		{Policy{"resilient", "deadline, one retry owner with budget, breaker, bulkhead, stream timeouts, flagged fallback"}, newResilient},
		{Policy{"three-layers", "API, retriever and reranker over HTTP, 3 attempts each: 27 leaf calls"}, newLayers},
	}
}

func build(cfg Config) (answerer, error) {
	names := []string{}
	for _, p := range policies() {
		if p.Name == cfg.Policy {
			return p.build(cfg)
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("no policy %q: want one of %s", cfg.Policy, strings.Join(names, ", "))
}

func (c Config) attempts(byDefault int) int { return cmp.Or(c.Attempts, byDefault) }
