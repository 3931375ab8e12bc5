package hypotheses

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/brownout-chaos/brownout/internal/strict"
)

func (e Experiment) checkLoad() error {
	l := e.Load
	if err := l.Shape.check("load"); err != nil {
		return err
	}
	switch {
	case l.Arrivals != "" && l.Arrivals != Poisson && l.Arrivals != Constant:
		return &problem{"load.arrivals", fmt.Sprintf("it is %q: want poisson or constant", l.Arrivals), ""}
	case l.Bystanders < 0:
		return &problem{"load.bystanders", "it is negative: want a rate such as 15/s", ""}
	case l.Bystanders > 0 && len(e.Service.EndpointNames(true)) == 0:
		return &problem{"load.bystanders", "the service has no bystander endpoint", "mark one in the service file: bystander: true"}
	case l.InFlight < 0 || l.Connections < 0:
		return &problem{"load", "in_flight and connections count from 1", ""}
	case l.InFlight > MaxInFlight || l.Connections > MaxInFlight:
		return &problem{"load", fmt.Sprintf("in_flight and connections are at most %d", MaxInFlight), ""}
	case len(l.Phases) == 0:
		return &problem{"load.phases", "the load has no phases", "write phases: [baseline: 10s, fault: 20s, recovery: 15s]"}
	}
	if err := e.checkPhases(); err != nil {
		return err
	}
	return e.checkMix()
}

// check refuses negative numbers and more than one shape.
func (s Shape) check(path string) error {
	given := []string{}
	for _, f := range []struct {
		key   string
		value float64
	}{{"rate", float64(s.Rate)}, {"serial", float64(s.Serial)}, {"burst", float64(s.Burst)}, {"users", float64(s.Users)}} {
		if f.value < 0 {
			return &problem{path + "." + f.key, "it is negative: want more than 0", ""}
		}
		if f.value > 0 {
			given = append(given, f.key)
		}
	}
	if len(given) > 1 {
		return &problem{path + "." + given[1], strings.Join(given, " and ") + ": want exactly one of rate, serial, burst, users", ""}
	}
	return nil
}

func (e Experiment) checkPhases() error {
	seen := map[string]bool{}
	sends, reaches := false, len(e.Service.EndpointNames(false)) > 0
	for i, p := range e.Load.Phases {
		path := fmt.Sprintf("load.phases[%d]", i)
		shape := p.Shape
		if shape.IsZero() {
			shape = e.Load.Shape
		}
		sends = sends || !shape.IsZero()
		if err := p.Shape.check(path + "." + p.Name); err != nil {
			return err
		}
		switch {
		case p.Name == "":
			return &problem{path, "the phase has no name", ""}
		case p.Name == PhaseDrain:
			return &problem{path + "." + p.Name, "drain comes by itself after the last phase", "take it out"}
		case seen[p.Name]:
			return &problem{path + "." + p.Name, "a phase of this name is there already", "names of phases are unique"}
		case p.For < 0:
			return &problem{path + "." + p.Name, fmt.Sprintf("%v is negative: want more than 0s", p.For), ""}
		case p.For == 0 && shape.Serial == 0 && shape.Burst == 0:
			return &problem{path + "." + p.Name, "the phase takes no time: want more than 0s, or serial or burst", ""}
		case !shape.IsZero() && !reaches:
			return &problem{path + "." + p.Name, "every endpoint is a bystander: the mix reaches nothing", "take bystander: true from one of them"}
		}
		seen[p.Name] = true
	}
	if !sends && e.Load.Bystanders == 0 {
		return &problem{"load", "the load sends nothing", "write rate: 30/s, or serial, burst or users"}
	}
	return nil
}

func (e Experiment) checkMix() error {
	for _, name := range slices.Sorted(maps.Keys(e.Load.Mix)) {
		path := "load.mix." + name
		endpoint, ok := e.Service.Endpoints[name]
		switch {
		case !ok:
			return &problem{path, fmt.Sprintf("there is no endpoint %q", name), strict.DidYouMean(name, e.Service.EndpointNames(false))}
		case endpoint.Bystander:
			return &problem{path, "it is a bystander: the mix is of the other endpoints", "give bystanders their rate with load.bystanders"}
		case !(e.Load.Mix[name] > 0) || math.IsInf(e.Load.Mix[name], 0):
			return &problem{path, fmt.Sprintf("its weight is %g: want more than 0", e.Load.Mix[name]), ""}
		}
	}
	return nil
}

// checkLimits refuses a plan that is larger than its limits.
func (e Experiment) checkLimits() error {
	length, _ := e.Load.Length()
	l := e.Limits
	switch {
	case l.Duration < 0 || l.Rate < 0 || l.LeafCalls < 0:
		return &problem{"limits", "a limit is negative", ""}
	case l.Duration > 0 && length > l.Duration:
		return &problem{"limits.duration", fmt.Sprintf("the phases take %v, more than %v", length, l.Duration), ""}
	}
	planned := 0.0
	for _, p := range e.Load.Phases {
		planned += p.planned(e.Load)
	}
	if planned > maxPlanned {
		return &problem{path: "load", text: fmt.Sprintf("the plan has %.0f requests, more than %d", planned, maxPlanned), hint: "lower the rate or shorten the phases"}
	}
	for i, p := range e.Load.Phases {
		rate := p.Shape.Rate
		if p.Shape.IsZero() {
			rate = e.Load.Shape.Rate
		}
		if planned := rate + e.Load.Bystanders; l.Rate > 0 && planned > l.Rate {
			return &problem{"limits.rate", fmt.Sprintf("phase %s plans %v, more than %v", e.Load.Phases[i].Name, planned, l.Rate), ""}
		}
	}
	return nil
}

// maxPlanned bounds a plan: each request of it is kept until it is judged.
const maxPlanned = 5_000_000

// planned is about how many requests a phase has.
func (p Phase) planned(l Load) float64 {
	shape := p.Shape
	if shape.IsZero() {
		shape = l.Shape
	}
	return float64(shape.Serial+shape.Burst) + float64(shape.Rate+l.Bystanders)*p.For.Seconds()
}
