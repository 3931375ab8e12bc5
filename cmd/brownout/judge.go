package main

import (
	"fmt"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/journal"
	"github.com/brownout-chaos/brownout/internal/report"
)

type judgeCmd struct {
	Dir          string             `arg:"" help:"A result directory."`
	Experiment   string             `placeholder:"FILE" help:"Judge the hypotheses of this file instead; results go beside the old ones, never over them."`
	Format       string             `default:"text" help:"What goes to stdout: text, json, junit or markdown."`
	Inconclusive inconclusivePolicy `default:"fail" placeholder:"POLICY" help:"fail (exit 3), warn, or warn:REASON,... (default: fail)."`
	NoColor      bool               `help:"No colours on a terminal (NO_COLOR also turns them off)."`
}

// Run judges the journal of the directory. The same journal and hypotheses
// give the same verdict, byte for byte.
func (c *judgeCmd) Run(a *app) error {
	if err := report.CheckFormat(c.Format); err != nil {
		return err
	}
	j, err := journal.Read(c.Dir)
	if err != nil {
		return err
	}
	if c.Experiment != "" {
		e, err := hypotheses.ParseExperiment(c.Experiment, &j.Run.Experiment.Service)
		if err != nil {
			return err
		}
		j.Run.Experiment.Title = e.Title
		j.Run.Experiment.Hypotheses = e.Hypotheses
		j.Run.Experiment.Confidence, j.Run.Experiment.MinSamples = e.Confidence, e.MinSamples
		if err := j.Run.Experiment.Check(); err != nil {
			return fmt.Errorf("%s against the recorded run: %w", c.Experiment, err)
		}
	}
	verdict := hypotheses.Judge(j)
	if err := report.WriteBeside(c.Dir, verdict, j); err != nil {
		return err
	}
	a.code = exitCode(verdict, c.Inconclusive)
	return a.print(c.Format, c.NoColor, verdict, j, c.Dir)
}
