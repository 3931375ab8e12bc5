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
	for _, d := range hypotheses.Preflight(plan) {
		answer := "can decide"
		if !d.CanDecide {
			answer, a.code = "cannot decide", exitInconclusive
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", answer, d.Says, samples(d), d.Advice)
	}
	for _, name := range e.EnvVariables() {
		state := "set"
		if _, ok := os.LookupEnv(name); !ok {
			state = "NOT set"
		}
		fmt.Fprintf(w, "  variable\t%s\t%s\n", name, state)
	}
	if e.Service.Subject.URL != "" {
		for _, name := range slices.Sorted(maps.Keys(e.Service.Subject.Env.Vars)) {
			fmt.Fprintf(w, "  the service needs\t%s=%s\n", name, e.Service.Subject.Env.Vars[name])
		}
	}
	return w.Flush()
}

func samples(d hypotheses.Decision) string {
	return fmt.Sprintf("%d samples planned, %d needed, %d over allowed", d.Planned, d.Needed, d.Allowed)
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
