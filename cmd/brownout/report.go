package main

import (
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/journal"
	"github.com/brownout-chaos/brownout/internal/report"
)

type reportCmd struct {
	Dir     string `arg:"" help:"A result directory."`
	Format  string `default:"text" help:"text, json, junit or markdown."`
	NoColor bool   `help:"No colours on a terminal (NO_COLOR also turns them off)."`
}

// Run renders the verdict on the journal of the directory. It writes nothing.
func (c *reportCmd) Run(a *app) error {
	if err := report.CheckFormat(c.Format); err != nil {
		return err
	}
	j, err := journal.Read(c.Dir)
	if err != nil {
		return err
	}
	return a.print(c.Format, c.NoColor, hypotheses.Judge(j), j, c.Dir)
}
