package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/report"
	"github.com/brownout-chaos/brownout/internal/run"
)

type runCmd struct {
	Experiments []string `arg:"" name:"experiment" help:"Experiment files."`
	common
}

// Run parses all files, says whether the plans can decide, runs the
// experiments one after the other, and judges each.
func (c *runCmd) Run(a *app) error {
	if err := report.CheckFormat(c.Format); err != nil {
		return err
	}
	list, err := parseExperiments(c.Experiments, c.Service, c.Seed)
	if err != nil {
		return err
	}
	for i, e := range list {
		if err := requireVariables(e); err != nil {
			return fmt.Errorf("%s: %w", c.Experiments[i], err)
		}
		for _, warning := range e.Service.Warnings() {
			fmt.Fprintf(a.stderr, "brownout: %s: warning: %s\n", c.Experiments[i], warning)
		}
	}
	if undecided := a.preflight(list); undecided && !c.Anyway {
		fmt.Fprintln(a.stderr, "brownout: nothing was started; --anyway runs it all the same")
		a.code = exitInconclusive
		return nil
	}
	now := time.Now()
	for i, e := range list {
		dir, err := resultDir(c.Out, e, len(list) > 1, now)
		if err != nil {
			return err
		}
		if a.ctx.Err() != nil {
			a.code = worse(a.code, exitAborted)
			break
		}
		verdict, err := c.one(a, e, dir, c.replay(c.Experiments[i], e.Seed))
		if err != nil {
			fmt.Fprintf(a.stderr, "brownout: %s: %v\n", c.Experiments[i], err)
			_ = os.Remove(dir) // only where nothing was written into it
			a.code = worse(a.code, a.failure())
			continue
		}
		a.code = worse(a.code, exitCode(verdict, c.Inconclusive))
	}
	return nil
}

// failure is the exit code of a run that gave no journal: it was stopped
// before it began, or it could not run.
func (a *app) failure() int {
	if a.ctx.Err() != nil {
		return exitAborted
	}
	return exitError
}

// one runs one experiment and prints its results.
func (r *running) one(a *app, e hypotheses.Experiment, dir, command string) (hypotheses.Verdict, error) {
	j, err := r.record(a, e, dir, command)
	if err != nil {
		return hypotheses.Verdict{}, err
	}
	verdict := hypotheses.Judge(j)
	if err := report.WriteAll(dir, "", verdict, j); err != nil {
		return verdict, err
	}
	return verdict, a.print(r.Format, r.NoColor, verdict, j, dir)
}

// record runs one experiment into its directory.
func (r *running) record(a *app, e hypotheses.Experiment, dir, command string) (hypotheses.Journal, error) {
	ctx := a.ctx
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.Timeout, fmt.Errorf("--timeout: the run took longer than %v", r.Timeout))
		defer cancel()
	}
	binary, err := os.Executable()
	if err != nil {
		return hypotheses.Journal{}, fmt.Errorf("find this binary: %w", err)
	}
	cfg := run.Config{
		Dir: dir, Tool: tool(), Command: command, Brownout: binary,
		LookupEnv: os.LookupEnv, Remote: r.Yes,
	}
	if !r.Quiet {
		line := newProgress(a.stderr, e.Title)
		defer line.close()
		cfg.Progress = line.show
	}
	return run.Run(ctx, e, cfg)
}

// print writes the results to stdout and, in text, where they are kept.
func (a *app) print(format string, noColor bool, v hypotheses.Verdict, j hypotheses.Journal, dir string) error {
	if format == "text" {
		renderer := report.Text{Color: !noColor && isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "", Dir: dir}
		return renderer.Write(a.stdout, v, j)
	}
	return report.Write(a.stdout, format, v, j)
}

// preflight prints the hypotheses that the plans cannot decide.
func (a *app) preflight(list []hypotheses.Experiment) (undecided bool) {
	for _, e := range list {
		for _, d := range hypotheses.Preflight(run.Plan(e)) {
			if d.CanDecide {
				continue
			}
			undecided = true
			fmt.Fprintf(a.stderr, "brownout: %s: this plan cannot decide %q: %s\n", e.Title, d.Says, d.Advice)
		}
	}
	return undecided
}

// requireVariables refuses an experiment whose ${env.NAME} are not set.
func requireVariables(e hypotheses.Experiment) error {
	for _, name := range e.EnvVariables() {
		if _, ok := os.LookupEnv(name); !ok {
			return fmt.Errorf("${env.%s} is not set\nhint: set the variable %s, or take it out of the file", name, name)
		}
	}
	return nil
}

// replay is the command line that repeats the run of one file.
func (c *runCmd) replay(file string, seed uint64) string {
	words := []string{"brownout", "run", file, "--seed", strconv.FormatUint(seed, 10)}
	if c.Service != "" {
		words = append(words, "--service", c.Service)
	}
	if c.Anyway {
		words = append(words, "--anyway")
	}
	if c.Yes {
		words = append(words, "--yes")
	}
	if c.Timeout > 0 {
		words = append(words, "--timeout", c.Timeout.String())
	}
	return strings.Join(words, " ")
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
