package faults

import (
	"fmt"
	"time"
)

// A Rule is a fault together with where, when and how often it fires. A rule
// with neither window nor trigger fires on every matching call while it is
// injected.
type Rule struct {
	Name    string `json:"name,omitempty"` // shown in reports; "": the fault's kind and the rule's place
	To      string `json:"to,omitempty"`   // the provider or dependency; ignored by Provider.Inject
	Window  `json:",inline"`
	Match   Match `json:"match,omitempty"`
	Trigger `json:",inline"`
	Fault   Fault `json:"-" oneof:"fault"`
}

// A Window is when a rule of an experiment is active: during a phase, or from
// At for For. At counts from the start of the phase where one is named, else
// from the start of the experiment. The zero Window is the whole run.
type Window struct {
	Phase string         `json:"phase,omitempty"`
	At    *time.Duration `json:"at,omitempty"`
	For   *time.Duration `json:"for,omitempty"`
}

// A Match narrows a rule to some calls. The zero Match is every call.
type Match struct {
	API    string            `json:"api,omitempty"`    // chat, models, ...
	Model  string            `json:"model,omitempty"`  // exact or a glob: gpt-4o*
	Stream *bool             `json:"stream,omitempty"` // streamed calls only, or unstreamed ones only
	Key    string            `json:"key,omitempty"`    // API key, compared whole
	Header map[string]string `json:"header,omitempty"` // request headers, compared whole
	Body   string            `json:"body,omitempty"`   // expression over the fields of the request body
}

// A Trigger picks calls among the matching ones. At most one field is set; the
// zero Trigger picks all.
type Trigger struct {
	// Share of the calls, from 0 to 1. The draw is a hash of seed, rule,
	// correlation key and attempt, so it is the same whatever the interleaving.
	Share *float64 `json:"share,omitempty"`
	// First n matching calls.
	First *int `json:"first,omitempty"`
	// Calls by their number among the matching ones, from 1.
	Calls []int `json:"calls,omitempty"`
	// Every nth matching call: n, 2n, 3n...
	Every *int `json:"every,omitempty"`
	// Attempts by their number within the attempt group (same user request,
	// same provider, same request body), from 1.
	Attempts []int `json:"attempts,omitempty"`
}

// On is the rule that fires f on every call.
func On(f Fault) Rule { return Rule{Fault: f} }

// During limits the rule to a phase of the experiment.
func (r Rule) During(phase string) Rule { r.Window.Phase = phase; return r }

// Toward names the provider or dependency that the rule applies to.
func (r Rule) Toward(name string) Rule { r.To = name; return r }

// Between limits the rule to the time from at, for the length for_, counted as
// [Window] says.
func (r Rule) Between(at, for_ time.Duration) Rule {
	r.Window.At, r.Window.For = &at, &for_
	return r
}

// Matching limits the rule to the calls that m matches.
func (r Rule) Matching(m Match) Rule { r.Match = m; return r }

// Share fires on a seeded share of the matching calls, from 0 to 1.
func (r Rule) Share(p float64) Rule { r.Trigger = Trigger{Share: &p}; return r }

// First fires on the first n matching calls.
func (r Rule) First(n int) Rule { r.Trigger = Trigger{First: &n}; return r }

// Calls fires on the matching calls with these numbers, from 1.
func (r Rule) Calls(numbers ...int) Rule { r.Trigger = Trigger{Calls: numbers}; return r }

// Every fires on each nth matching call.
func (r Rule) Every(n int) Rule { r.Trigger = Trigger{Every: &n}; return r }

// Attempts fires on these attempts of each attempt group, from 1.
func (r Rule) Attempts(numbers ...int) Rule { r.Trigger = Trigger{Attempts: numbers}; return r }

// Title is the rule's name, or the kind of its fault where it has none.
func (r Rule) Title() string {
	if r.Name != "" || r.Fault == nil {
		return r.Name
	}
	return r.Fault.Kind()
}

// Check reports what is wrong with the rule by itself; whether the names in it
// exist is for the caller to say.
func (r Rule) Check() error {
	if r.Fault == nil {
		return fmt.Errorf("the rule has no fault: name exactly one, such as rate_limit")
	}
	for _, err := range []error{r.Window.Check(), r.Trigger.Check(), r.Fault.Check()} {
		if err != nil {
			return err
		}
	}
	if _, network := r.Fault.(Network); network {
		return r.checkNetwork()
	}
	return nil
}

// checkNetwork refuses what only a provider could do: Toxiproxy sees
// connections, not calls.
func (r Rule) checkNetwork() error {
	m := r.Match
	if m.API != "" || m.Model != "" || m.Stream != nil || m.Key != "" || m.Header != nil || m.Body != "" {
		return fmt.Errorf("match does not apply to a network fault: it touches connections, not calls")
	}
	t := r.Trigger
	if network, ok := r.Fault.(Network); ok && t.Share != nil {
		if _, down := network.Toxic.(Down); down {
			return fmt.Errorf("share does not apply to down: it closes the port for every connection; reset_peer takes a share")
		}
	}
	if t.First != nil || t.Calls != nil || t.Every != nil || t.Attempts != nil {
		return fmt.Errorf("first, calls, every and attempts do not apply to a network fault: it touches connections, not calls; share (of connections) does")
	}
	return nil
}

// Check reports times that make no window.
func (w Window) Check() error {
	switch {
	case w.At != nil && *w.At < 0:
		return fmt.Errorf("at is negative: a time of 0s or more is expected")
	case w.For != nil && *w.For <= 0:
		return fmt.Errorf("for is %v: a time above 0s is expected", *w.For)
	case w.For != nil && w.At == nil:
		return fmt.Errorf("for without at: say when the window starts, such as at: 12s")
	}
	return nil
}

// Check reports a trigger with impossible numbers or with two conditions.
func (t Trigger) Check() error {
	set := 0
	for _, given := range []bool{t.Share != nil, t.First != nil, t.Calls != nil, t.Every != nil, t.Attempts != nil} {
		if given {
			set++
		}
	}
	switch {
	case set > 1:
		return fmt.Errorf("%d triggers in one rule: want at most one of share, first, calls, every, attempts", set)
	case t.Share != nil && (*t.Share <= 0 || *t.Share > 1):
		return fmt.Errorf("share is %g: a number above 0 and up to 1 is expected", *t.Share)
	case t.First != nil && *t.First < 1, t.Every != nil && *t.Every < 1:
		return fmt.Errorf("first and every count calls: a whole number from 1 is expected")
	case t.Calls != nil && len(t.Calls) == 0, t.Attempts != nil && len(t.Attempts) == 0:
		return fmt.Errorf("calls and attempts list numbers from 1: the list is empty")
	}
	for _, n := range append(append([]int{}, t.Calls...), t.Attempts...) {
		if n < 1 {
			return fmt.Errorf("calls and attempts are numbered from 1, got %d", n)
		}
	}
	return nil
}
