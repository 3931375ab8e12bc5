package run

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/toxi"
)

// providers are the fake providers of a run and the edges in front of them and
// of the dependencies.
type providers struct {
	fakes map[string]*fakes.Provider
	edges map[string]*toxi.Edge
}

// startProviders starts a fake per provider, and an edge per dependency and
// per provider with a network fault. Without a network fault the service
// reaches its provider directly: what is not asked for is not in the way.
func startProviders(e hypotheses.Experiment, r *recorder) (providers, error) {
	p := providers{fakes: map[string]*fakes.Provider{}, edges: map[string]*toxi.Edge{}}
	for name, provider := range e.Service.Providers {
		if err := p.startFake(e, r, name, provider); err != nil {
			p.close(func(string) {}) // the first error is the one to tell
			return providers{}, err
		}
	}
	for name, d := range e.Service.Dependencies {
		if err := p.openEdge(e, r, name, d.Listen, d.Upstream); err != nil {
			p.close(func(string) {}) // the first error is the one to tell
			return providers{}, err
		}
	}
	return p, nil
}

func (p providers) startFake(e hypotheses.Experiment, r *recorder, name string, provider hypotheses.Provider) error {
	listen := provider.Listen
	edged := hasNetworkFault(e, name)
	if edged || listen == "" {
		listen = "127.0.0.1:0"
	}
	fake, err := fakes.Start(
		fakes.Name(name),
		fakes.Listen(listen),
		fakes.Seed(e.Seed),
		fakes.AttributionHeader(e.Service.Attribution.HeaderName()),
		fakes.Observe(r.call),
	)
	if err != nil {
		return fmt.Errorf("start provider %s: %w", name, err)
	}
	p.fakes[name] = fake
	if !edged {
		return nil
	}
	return p.openEdge(e, r, name, provider.Listen, fake.Addr())
}

func (p providers) openEdge(e hypotheses.Experiment, r *recorder, name, listen, upstream string) error {
	edge, err := toxi.Open(toxi.Config{
		Name:     name,
		Listen:   listen,
		Upstream: upstream,
		Seed:     e.Seed,
		Note:     func(text string) { r.note(noteInfrastructure, text) },
	})
	if err != nil {
		return fmt.Errorf("open edge to %s: %w", name, err)
	}
	p.edges[name] = edge
	return nil
}

func hasNetworkFault(e hypotheses.Experiment, provider string) bool {
	return slices.ContainsFunc(e.Faults, func(rule faults.Rule) bool {
		_, network := rule.Fault.(faults.Network)
		return network && e.Target(rule) == provider
	})
}

// lookup gives the values of ${providers.NAME.DIALECT} and
// ${dependencies.NAME}, as seen from the service.
func (p providers) lookup(variable string) (string, bool) {
	if name, ok := strings.CutPrefix(variable, "dependencies."); ok {
		edge, ok := p.edges[name]
		if !ok {
			return "", false
		}
		return edge.Addr(), true
	}
	rest, ok := strings.CutPrefix(variable, "providers.")
	if !ok {
		return "", false
	}
	name, dialect, _ := strings.Cut(rest, ".")
	fake, ok := p.fakes[name]
	if !ok {
		return "", false
	}
	base, ok := fake.BaseURL(dialect)
	if edge := p.edges[name]; ok && edge != nil {
		base = strings.Replace(base, fake.Addr(), edge.Addr(), 1)
	}
	return base, ok
}

// calls is the exact number of leaf calls that arrived so far.
func (p providers) calls() int {
	n := 0
	for _, fake := range p.fakes {
		n += int(fake.Counters().Calls)
	}
	return n
}

// inFlight is the number of leaf calls that are being answered.
func (p providers) inFlight() int {
	n := 0
	for _, fake := range p.fakes {
		n += fake.InFlight()
	}
	return n
}

// close ends every open call at its provider, then closes the edges, side by
// side: each may take its time.
func (p providers) close(note func(text string)) {
	for _, fake := range p.fakes {
		fake.Close()
	}
	var group sync.WaitGroup
	for name, edge := range p.edges {
		group.Go(func() {
			if err := edge.Close(); err != nil {
				note("close edge to " + name + ": " + err.Error())
			}
		})
	}
	group.Wait()
}
