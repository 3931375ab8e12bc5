package run

import (
	"fmt"
	"sync"
	"time"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/toxi"
)

// windows switches the faults of an experiment on and off and records when
// they were on and what they did. All methods are safe for concurrent use.
type windows struct {
	experiment hypotheses.Experiment
	providers  providers
	recorder   *recorder
	started    time.Time

	mu     sync.Mutex
	phase  string             // that is running
	since  hypotheses.Seconds // start of that phase
	began  map[int]bool       // rules that were on
	lifted bool
	active map[int]*activeFault // by place in Experiment.Faults
	timers []*time.Timer
}

// An activeFault is a rule that is on.
type activeFault struct {
	window    hypotheses.Window
	injection *fakes.Injection // of a provider fault
	before    toxi.Count       // of a network fault: the edge's count when it went on
}

func newWindows(e hypotheses.Experiment, p providers, r *recorder, started time.Time) *windows {
	w := &windows{experiment: e, providers: p, recorder: r, started: started, active: map[int]*activeFault{}, began: map[int]bool{}}
	for i, rule := range e.Faults {
		if rule.Phase == "" {
			w.schedule(i, rule, started)
		}
	}
	return w
}

// enter switches to a phase: faults bound to other phases go off, those bound
// to this one go on, now or at their time.
func (w *windows) enter(phase string) {
	w.mu.Lock()
	w.missed()
	w.phase, w.since = phase, hypotheses.Seconds(time.Since(w.started))
	w.stopAll(func(rule faults.Rule) bool { return rule.Phase != "" && rule.Phase != phase })
	w.mu.Unlock()
	now := time.Now()
	for i, rule := range w.experiment.Faults {
		if rule.Phase == phase {
			w.schedule(i, rule, now)
		}
	}
}

// missed records the rules of the phase that is over whose time never came: a
// phase that ends with its last answer may be shorter than planned.
func (w *windows) missed() {
	for i, rule := range w.experiment.Faults {
		if rule.Phase == "" || rule.Phase != w.phase || w.began[i] {
			continue
		}
		window := w.window(i)
		window.Start, window.End = w.since, hypotheses.Seconds(time.Since(w.started))
		window.Failed = "its phase was over before its time came"
		w.recorder.window(window)
	}
}

// window is the record of a rule that goes on now.
func (w *windows) window(i int) hypotheses.Window {
	rule := w.experiment.Faults[i]
	record := hypotheses.Window{
		Rule: i, Name: w.experiment.RuleTitle(i), Kind: rule.Fault.Kind(), To: w.experiment.Target(rule),
		Start: hypotheses.Seconds(time.Since(w.started)), Planned: rule.Trigger.Share, Wanted: wanted(rule),
	}
	if network, ok := rule.Fault.(faults.Network); ok {
		record.Network, record.Kind = true, network.Toxic.Kind()
	}
	return record
}

// schedule switches a rule on at its time after zero, and off again.
func (w *windows) schedule(i int, rule faults.Rule, zero time.Time) {
	if rule.At == nil {
		w.start(i)
		return
	}
	w.after(time.Until(zero.Add(*rule.At)), func() { w.start(i) })
	if rule.For != nil {
		w.after(time.Until(zero.Add(*rule.At+*rule.For)), func() { w.stop(i) })
	}
}

func (w *windows) after(d time.Duration, f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timers = append(w.timers, time.AfterFunc(d, f))
}

func (w *windows) start(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rule := w.experiment.Faults[i]
	over := rule.Phase != "" && rule.Phase != w.phase
	if w.lifted || over || w.active[i] != nil {
		return
	}
	a := &activeFault{window: w.window(i)}
	to := a.window.To
	w.active[i], w.began[i] = a, true
	if a.window.Network {
		a.before = w.providers.edges[to].Counts()[a.window.Name]
		w.applyToxics(to)
	} else {
		rule.Name = a.window.Name
		a.injection = w.providers.fakes[to].Inject(rule)
	}
	w.recorder.window(a.window)
}

// wanted is how many times a rule was told to fire, 0 where it does not say.
func wanted(rule faults.Rule) int {
	if rule.Trigger.First != nil {
		return *rule.Trigger.First
	}
	return len(rule.Trigger.Calls)
}

func (w *windows) stop(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if to, network := w.stopLocked(i); network {
		w.applyToxics(to)
	}
}

// stopAll switches off the rules that which picks. Edges are told once each,
// side by side: each may take its time.
func (w *windows) stopAll(which func(faults.Rule) bool) {
	edges := map[string]bool{}
	for i, rule := range w.experiment.Faults {
		if !which(rule) {
			continue
		}
		if to, network := w.stopLocked(i); network {
			edges[to] = true
		}
	}
	var group sync.WaitGroup
	for to := range edges {
		group.Go(func() { w.applyToxics(to) })
	}
	group.Wait()
}

// stopLocked ends the window of a rule. The edge of a network fault is still
// to be told.
func (w *windows) stopLocked(i int) (to string, network bool) {
	a := w.active[i]
	if a == nil {
		return "", false
	}
	delete(w.active, i)
	a.window.End = hypotheses.Seconds(time.Since(w.started))
	if a.window.Network {
		now := w.providers.edges[a.window.To].Counts()[a.window.Name]
		a.window.Matched, a.window.Fired = now.Matched-a.before.Matched, now.Fired-a.before.Fired
	} else {
		a.injection.Lift()
		for _, count := range a.injection.Counts() {
			a.window.Matched, a.window.Fired = count.Matched, count.Fired
			if count.Undecided > 0 {
				w.recorder.note(noteMatch, fmt.Sprintf("match.body of %s could not be evaluated on %d calls: they count as not matched", count.Name, count.Undecided))
			}
		}
	}
	w.recorder.window(a.window)
	return a.window.To, a.window.Network
}

// applyToxics makes the edge play the active network faults, in the order of
// the experiment.
func (w *windows) applyToxics(to string) {
	set := []toxi.Active{}
	for i, rule := range w.experiment.Faults {
		network, ok := rule.Fault.(faults.Network)
		if a := w.active[i]; !ok || a == nil || a.window.To != to {
			continue
		}
		share := 1.0
		if rule.Trigger.Share != nil {
			share = *rule.Trigger.Share
		}
		set = append(set, toxi.Active{Name: w.experiment.RuleTitle(i), Toxic: network.Toxic, Share: share})
	}
	err := w.providers.edges[to].Apply(set)
	if err == nil {
		return
	}
	w.recorder.note(noteInfrastructure, "apply toxics to "+to+": "+err.Error())
	for _, a := range w.active {
		if a.window.Network && a.window.To == to {
			a.window.Failed = err.Error()
		}
	}
}

// lift switches everything off for good. It may be called twice.
func (w *windows) lift() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lifted = true
	for _, timer := range w.timers {
		timer.Stop()
	}
	w.stopAll(func(faults.Rule) bool { return true })
}
