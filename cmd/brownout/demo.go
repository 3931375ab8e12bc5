package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/brownout-chaos/brownout/examples"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/report"
)

type demoCmd struct {
	running
}

// Run breaks the provider of two sample services in the same way, side by
// side, and shows that one is refuted and the other held.
func (c *demoCmd) Run(a *app) error {
	if err := report.CheckFormat(c.Format); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "brownout-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, examples.FS); err != nil {
		return err
	}
	trials := []*trial{
		{policy: "naive", want: hypotheses.Refuted},
		{policy: "resilient", want: hypotheses.Held},
	}
	var group sync.WaitGroup
	for _, t := range trials {
		group.Go(func() { t.err = c.try(a, t, dir) })
	}
	group.Wait()
	for _, t := range trials {
		if t.err != nil {
			return fmt.Errorf("%s: %w", t.policy, t.err)
		}
		fmt.Fprintf(a.stdout, "\n== the %s service ==\n\n", t.policy)
		kept := t.dir
		if c.Out == "" {
			kept = "" // the folder goes with the demo
		}
		if err := a.print(c.Format, c.NoColor, t.verdict, t.journal, kept); err != nil {
			return err
		}
	}
	for _, t := range trials {
		if t.verdict.Status != t.want {
			fmt.Fprintf(a.stderr, "brownout: the %s service came out %s, not %s\n", t.policy, t.verdict.Status, t.want)
			a.code = worse(a.code, exitCode(t.verdict, c.Inconclusive))
			if a.code == exitHeld {
				a.code = exitRefuted
			}
		}
	}
	return nil
}

// A trial is one service of the demo and what came out.
type trial struct {
	policy  string
	want    hypotheses.State
	dir     string
	journal hypotheses.Journal
	verdict hypotheses.Verdict
	err     error
}

func (c *demoCmd) try(a *app, t *trial, dir string) error {
	service, err := hypotheses.ParseService(filepath.Join(dir, "outage", t.policy+".yaml"))
	if err != nil {
		return err
	}
	e, err := hypotheses.ParseExperiment(filepath.Join(dir, "outage", "experiment.yaml"), &service)
	if err != nil {
		return err
	}
	if c.Seed != nil {
		e.Seed = *c.Seed
	}
	out := *c
	out.Quiet = c.Quiet || t.want == hypotheses.Held // one line of progress for both
	if t.dir = filepath.Join(dir, "results", t.policy); c.Out != "" {
		t.dir = filepath.Join(c.Out, t.policy)
	}
	if t.journal, err = out.record(a, e, t.dir, "brownout demo"); err != nil {
		return err
	}
	t.verdict = hypotheses.Judge(t.journal)
	return report.WriteAll(t.dir, "", t.verdict, t.journal)
}
