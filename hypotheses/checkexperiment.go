package hypotheses

import (
	"fmt"
	"maps"
	"slices"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/strict"
)

// Check reports the first mistake in an experiment, by the path of the value.
// It is the check that files go through, for experiments built in Go.
func (e Experiment) Check() error {
	if err := e.Service.Check(); err != nil {
		return below("service", err)
	}
	checks := []func() error{e.checkTitle, e.checkLoad, e.checkFaults, e.checkHypotheses, e.checkGuards, e.checkLimits}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (e Experiment) checkTitle() error {
	switch {
	case e.Title == "":
		return &problem{"experiment", "the title is missing", "say what is claimed: experiment: answers survive a provider that sheds calls"}
	case e.Confidence != nil && !(*e.Confidence > 0.5 && *e.Confidence < 1):
		return &problem{"confidence", fmt.Sprintf("it is %g: want a number above 0.5 and below 1", *e.Confidence), "write 0.95"}
	case e.MinSamples != nil && *e.MinSamples < 1:
		return &problem{"min_samples", fmt.Sprintf("it is %d: want 1 or more", *e.MinSamples), ""}
	}
	return nil
}

// checkFaults checks each rule and the names in it.
func (e Experiment) checkFaults() error {
	for i, rule := range e.Faults {
		path := fmt.Sprintf("faults[%d]", i)
		if err := checkRule(path, rule); err != nil {
			return err
		}
		if err := e.checkTarget(path, rule); err != nil {
			return err
		}
		if api := rule.Match.API; api != "" && !slices.Contains(APIs(), api) {
			return &problem{path: path + ".match.api", text: fmt.Sprintf("there is no api %q", api), hint: strict.DidYouMean(api, APIs())}
		}
		if err := e.checkWindow(path, rule.Window); err != nil {
			return err
		}
		if err := checkExpression(path+".match.body", rule.Match.Body, nil); err != nil {
			return err
		}
	}
	return e.checkResets()
}

// checkRule checks a rule by itself, part by part.
func checkRule(path string, rule faults.Rule) error {
	if rule.Fault == nil {
		return &problem{path, "the fault is missing", "name exactly one, such as rate_limit"}
	}
	kind := path + "." + rule.Fault.Kind()
	if network, ok := rule.Fault.(faults.Network); ok {
		if network.Toxic == nil {
			return &problem{kind, "the toxic is missing", "name exactly one, such as latency"}
		}
		kind += "." + network.Toxic.Kind()
	}
	for _, part := range []struct {
		path string
		err  error
	}{{path, rule.Window.Check()}, {path, rule.Trigger.Check()}, {kind, rule.Fault.Check()}, {path, rule.Check()}} {
		if part.err != nil {
			return problemBelow(part.path, part.err)
		}
	}
	return nil
}

// checkTarget wants a provider, or for network faults also a dependency.
func (e Experiment) checkTarget(path string, rule faults.Rule) error {
	_, network := rule.Fault.(faults.Network)
	names := slices.Sorted(maps.Keys(e.Service.Providers))
	if network {
		names = append(names, slices.Sorted(maps.Keys(e.Service.Dependencies))...)
	}
	to := e.Target(rule)
	switch _, dependency := e.Service.Dependencies[to]; {
	case slices.Contains(names, to):
		return nil
	case to == "":
		return &problem{path, "the fault does not say to whom it applies", "write to: with one of " + orNone(names)}
	case dependency:
		return &problem{path + ".to", fmt.Sprintf("%s is a dependency: only network faults apply to it", to), ""}
	default:
		return &problem{path + ".to", fmt.Sprintf("there is no provider or dependency %q", to), strict.DidYouMean(to, names)}
	}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "the service's providers, of which it has none"
	}
	return orList(names)
}

func (e Experiment) checkWindow(path string, w faults.Window) error {
	length, known := e.Load.Length()
	if w.Phase != "" {
		i := slices.IndexFunc(e.Load.Phases, func(p Phase) bool { return p.Name == w.Phase })
		if i < 0 {
			return e.unknownPhase(path+".phase", w.Phase)
		}
		length, known = e.Load.Phases[i].For, e.Load.Phases[i].For > 0
	}
	if w.At != nil && known && *w.At >= length {
		return &problem{path + ".at", fmt.Sprintf("at %v the phase is over: it lasts %v", *w.At, length), ""}
	}
	return nil
}

func (e Experiment) unknownPhase(path, name string) error {
	names := []string{}
	for _, p := range e.Load.Phases {
		names = append(names, p.Name)
	}
	return &problem{path, fmt.Sprintf("there is no phase %q", name), strict.DidYouMean(name, names)}
}

// checkResets refuses resets by a provider behind an edge: Toxiproxy turns an
// RST into a FIN, so the fault would not be what the file says.
func (e Experiment) checkResets() error {
	edged := map[string]bool{}
	for _, rule := range e.Faults {
		if _, network := rule.Fault.(faults.Network); network {
			edged[e.Target(rule)] = true
		}
	}
	for i, rule := range e.Faults {
		scripted, ok := rule.Fault.(faults.Scripted)
		if !ok || !edged[e.Target(rule)] {
			continue
		}
		if b := scripted.Script().Break; b != nil && b.Act == faults.ActEnd && b.End == faults.EndRST {
			return &problem{fmt.Sprintf("faults[%d]", i),
				fmt.Sprintf("%s resets the connection, but %s also has a network fault: Toxiproxy, in between, turns a reset into a plain end", rule.Fault.Kind(), e.Target(rule)),
				"use network: {reset_peer: {}}, or put them into two experiments"}
		}
	}
	return nil
}

// RuleTitle is the name of a rule in journals and reports, unique in the
// experiment: its own name, or its kind; where that is taken, NAME-2 and so on.
func (e Experiment) RuleTitle(i int) string {
	taken, title := map[string]bool{}, ""
	for _, rule := range e.Faults[:i+1] {
		name := ruleTitle(rule)
		title = name
		for n := 2; taken[title]; n++ {
			title = fmt.Sprintf("%s-%d", name, n)
		}
		taken[title] = true
	}
	return title
}

// ruleTitle names a network fault by its toxic.
func ruleTitle(r faults.Rule) string {
	if network, ok := r.Fault.(faults.Network); ok && r.Name == "" && network.Toxic != nil {
		return network.Toxic.Kind()
	}
	return r.Title()
}

func (e Experiment) checkHypotheses() error {
	for i, claim := range e.Hypotheses {
		path := fmt.Sprintf("hypotheses[%d]", i)
		h := claim.Hypothesis
		if h == nil {
			return &problem{path, "the hypothesis is missing", "name one, such as latency"}
		}
		path += "." + h.Kind()
		if err := e.checkOf(path+".of", h.Scope().Of); err != nil {
			return err
		}
		if phase := h.Scope().In.Phase; phase != "" && !e.hasPhase(phase) {
			return e.unknownPhase(path+".in", phase)
		}
		if to := providerOf(h); to != "" {
			if _, known := e.Service.Providers[to]; !known {
				return &problem{path + ".to", fmt.Sprintf("there is no provider %q", to),
					strict.DidYouMean(to, slices.Sorted(maps.Keys(e.Service.Providers)))}
			}
		}
		if err := h.Check(); err != nil {
			return problemBelow(fmt.Sprintf("hypotheses[%d]", i), err)
		}
	}
	return nil
}

// providerOf is the provider whose calls a hypothesis counts; "" is all.
func providerOf(h Hypothesis) string {
	switch c := h.(type) {
	case LeafCallsClaim:
		return c.LeafCallsSpec.To
	case InFlightClaim:
		return c.InFlightSpec.To
	}
	return ""
}

func (e Experiment) hasPhase(name string) bool {
	return slices.ContainsFunc(e.Load.Phases, func(p Phase) bool { return p.Name == name })
}

// checkOf wants an endpoint, bystanders where there are some, or nothing.
func (e Experiment) checkOf(path, of string) error {
	bystanders := e.Service.EndpointNames(true)
	if of == "" || of == Bystanders && len(bystanders) > 0 {
		return nil
	}
	if of == Bystanders {
		return &problem{path, "the service has no bystander endpoint", "mark one in the service file: bystander: true"}
	}
	if _, ok := e.Service.Endpoints[of]; !ok {
		names := append(slices.Sorted(maps.Keys(e.Service.Endpoints)), Bystanders)
		return &problem{path, fmt.Sprintf("there is no endpoint %q", of), strict.DidYouMean(of, names)}
	}
	return nil
}

func (e Experiment) checkGuards() error {
	for i, g := range e.AbortIf {
		path := fmt.Sprintf("abort_if[%d]", i)
		given := 0
		for _, spec := range []*GuardSpec{g.Errors, g.Fallbacks, g.Goodput} {
			if spec != nil {
				given++
			}
		}
		if given != 1 {
			return &problem{path, fmt.Sprintf("%d conditions: want exactly one of errors, fallbacks, goodput", given), ""}
		}
		kind, spec := g.Kind()
		path += "." + kind
		bound := spec.Above
		if bound == nil {
			bound = spec.Below
		}
		switch {
		case (spec.Above == nil) == (spec.Below == nil):
			return &problem{path, "want exactly one of above and below", "write above: 0.2"}
		case *bound < 0 || *bound > 1:
			return &problem{path, fmt.Sprintf("%g is no share: want a number from 0 to 1", *bound), ""}
		case spec.For <= 0:
			return &problem{path + ".for", fmt.Sprintf("for is %v: want more than 0s", spec.For), "write for: 5s"}
		}
		if err := e.checkOf(path+".of", spec.Of); err != nil {
			return err
		}
	}
	return nil
}
