package hypotheses

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Load is the traffic that drives the service like its users would. Rate is
// an open loop: requests start at their planned time whether or not earlier
// ones were answered. Serial, Burst and Users replace it.
type Load struct {
	Shape       `json:",inline"`
	Arrivals    Arrivals           `json:"arrivals,omitempty"`    // "": poisson
	Mix         map[string]float64 `json:"mix,omitempty"`         // weight of each endpoint; nil: every endpoint that is no bystander, equally
	Bystanders  Rate               `json:"bystanders,omitempty"`  // on top of the mix, over all bystander endpoints
	Phases      []Phase            `json:"phases"`                // in order; warmup, baseline and drain are reserved names
	InFlight    int                `json:"in_flight,omitempty"`   // cap on open requests; 0: max(64, 4 x rate x longest timeout, largest burst or users), at most 20000
	Connections int                `json:"connections,omitempty"` // cap on connections, and so on open requests: what is over it is not sent; 0: the cap on open requests
}

// Length is the time of all phases together, and false where a phase ends with
// its last answer instead.
func (l Load) Length() (time.Duration, bool) {
	sum, known := time.Duration(0), true
	for _, p := range l.Phases {
		sum += p.For
		known = known && p.For > 0
	}
	return sum, known
}

// MaxInFlight is the largest cap on open requests or connections: each costs a
// descriptor here, one in the service and one in the provider.
const MaxInFlight = 20_000

// A Shape is how requests arrive. At most one field is set; it is set in the
// load, or in a phase for that phase alone.
type Shape struct {
	Rate   Rate `json:"rate,omitempty"`   // open loop, requests per second over the mix
	Serial int  `json:"serial,omitempty"` // so many requests, one at a time: the phase ends with the last answer
	Burst  int  `json:"burst,omitempty"`  // so many requests at the start of the phase, all at once
	Users  int  `json:"users,omitempty"`  // closed loop: so many users who each wait for their answer
}

// IsZero reports whether no shape is given.
func (s Shape) IsZero() bool { return s == Shape{} }

// Arrivals are how planned starts are spread over a phase.
type Arrivals string

// The arrivals of an open loop.
const (
	Poisson  Arrivals = "poisson"  // independent users
	Constant Arrivals = "constant" // even gaps
)

// Names of phases with a meaning of their own.
const (
	PhaseWarmup   = "warmup"   // not judged
	PhaseBaseline = "baseline" // the healthy run that others are compared with
	PhaseRecovery = "recovery" // after the fault
	PhaseDrain    = "drain"    // after the last planned start; no new requests
)

// A Phase is a part of the run. In files it is a pair: a name and a time, or a
// name and a mapping.
type Phase struct {
	Name  string        `json:"-"`
	For   time.Duration `json:"for,omitempty"` // with serial: a cap, 0 for none
	Shape `json:",inline"`
}

// UnmarshalYAML reads {NAME: 10s} or {NAME: {for: 10s, rate: 5/s}}.
func (p *Phase) UnmarshalYAML(decode func(any) error) error {
	var pair map[string]any
	if err := decode(&pair); err != nil {
		return err
	}
	if len(pair) != 1 {
		return fmt.Errorf("a phase is one pair of name and time, such as baseline: 10s; got %d pairs", len(pair))
	}
	for name, value := range pair {
		if _, long := value.(map[string]any); long {
			var body map[string]phaseBody
			err := decode(&body)
			*p = Phase{Name: name, For: body[name].For, Shape: body[name].Shape}
			return err
		}
		var short map[string]time.Duration
		err := decode(&short)
		*p = Phase{Name: name, For: short[name]}
		return err
	}
	return nil
}

type phaseBody struct {
	For   time.Duration `json:"for,omitempty"`
	Shape `json:",inline"`
}

// MarshalYAML writes the pair that [Phase.UnmarshalYAML] reads.
func (p Phase) MarshalYAML() (any, error) {
	if p.Shape.IsZero() {
		return map[string]any{p.Name: p.For.String()}, nil
	}
	return map[string]any{p.Name: phaseBody{For: p.For, Shape: p.Shape}}, nil
}

// A Rate counts per second. Its text has a unit: 30/s, 90/m.
type Rate float64

// PerSecond is n per second.
func PerSecond(n float64) Rate { return Rate(n) }

// String writes the rate per second.
func (r Rate) String() string { return strconv.FormatFloat(float64(r), 'g', -1, 64) + "/s" }

// MarshalText writes the rate as [Rate.String] does.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a number above zero per s, m or h.
func (r *Rate) UnmarshalText(text []byte) error {
	number, unit, _ := strings.Cut(string(text), "/")
	per := map[string]float64{"s": 1, "1s": 1, "m": 60, "h": 3600}[unit]
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case err != nil || per == 0:
		return fmt.Errorf("%q is not a rate: want a number per second, minute or hour, such as 30/s", text)
	case !(n > 0) || n/per > 1e6:
		return fmt.Errorf("%q is not a rate: want more than 0/s and at most 1000000/s", text)
	}
	*r = Rate(n / per)
	return nil
}
