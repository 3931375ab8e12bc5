package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/run"
)

type checkCmd struct {
	Files []string `arg:"" name:"file" help:"Experiment or service files."`
}

// Run parses the files and shows what a run would do and could decide.
func (c *checkCmd) Run(a *app) error {
	type parsed struct {
		file       string
		experiment *hypotheses.Experiment
	}
	list := []parsed{}
	for _, file := range c.Files {
		e, service, err := hypotheses.ParseFile(file)
		if err != nil {
			return err
		}
		if service {
			list = append(list, parsed{file: file})
			continue
		}
		list = append(list, parsed{file, &e})
	}
	for _, p := range list {
		if p.experiment == nil {
			fmt.Fprintf(a.stdout, "%s: a service file, without a mistake\n", p.file)
			continue
		}
		if err := a.showPlan(p.file, *p.experiment); err != nil {
			return err
		}
	}
	return nil
}

// showPlan prints phases, fault windows, decisions and variables of one
// experiment.
func (a *app) showPlan(file string, e hypotheses.Experiment) error {
	plan := run.Plan(e)
	fmt.Fprintf(a.stdout, "%s: %s\n", file, e.Title)
	w := tabwriter.NewWriter(a.stdout, 0, 4, 2, ' ', 0)
	for _, p := range plan.Phases {
		fmt.Fprintf(w, "  phase\t%s\t%gs to %gs\t%d requests\n", p.Name, p.Start.Float(), p.End.Float(), countPhase(plan, p.Name))
	}
	for _, f := range plan.Windows {
		fmt.Fprintf(w, "  fault\t%s\t%gs to %gs\t%s to %s\n", f.Name, f.Start.Float(), f.End.Float(), f.Kind, f.To)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, d := range hypotheses.Preflight(plan) {
		a.showDecision(d)
	}
	a.showVariables(e)
	return nil
}

// showDecision prints whether the plan can decide a hypothesis; one that it
// cannot makes the exit code.
func (a *app) showDecision(d hypotheses.Decision) {
	if !d.CanDecide {
		a.code = exitInconclusive
		fmt.Fprintf(a.stdout, "  CANNOT decide: %s\n    %s\n", d.Says, d.Advice)
		return
	}
	fmt.Fprintf(a.stdout, "  can decide: %s\n    %d samples planned, %d needed, %d over allowed\n", d.Says, d.Planned, d.Needed, d.Allowed)
	if d.Advice != "" {
		fmt.Fprintf(a.stdout, "    %s\n", d.Advice)
	}
}

// showVariables prints what must be set here, and what a service that runs
// already must have been started with.
func (a *app) showVariables(e hypotheses.Experiment) {
	for _, name := range e.EnvVariables() {
		state := "is set"
		if _, ok := os.LookupEnv(name); !ok {
			state = "is NOT set"
		}
		fmt.Fprintf(a.stdout, "  variable %s %s\n", name, state)
	}
	if e.Service.Subject.URL == "" {
		return
	}
	for _, warning := range e.Service.Warnings() {
		fmt.Fprintf(a.stdout, "  warning: %s\n", warning)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Service.Subject.Env.Vars)) {
		value, err := hypotheses.Expand(e.Service.Subject.Env.Vars[name], e.Service.FixedAddress)
		if err != nil {
			value = e.Service.Subject.Env.Vars[name]
		}
		fmt.Fprintf(a.stdout, "  the service needs %s=%s\n", name, value)
	}
}

func countPhase(plan hypotheses.Journal, phase string) int {
	n := 0
	for _, r := range plan.Requests {
		if r.Phase == phase {
			n++
		}
	}
	return n
}
