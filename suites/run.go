package suites

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/report"
	"github.com/brownout-chaos/brownout/internal/run"
)

// A Runner runs experiments. The zero Runner keeps journals in memory.
type Runner struct {
	Dir      string    // for journal and reports; it must not hold a journal yet. "": in memory only
	Brownout string    // the brownout binary, for the sample services; "": the one on PATH
	Output   io.Writer // output of the service; nil: dropped
	Anyway   bool      // run a plan that cannot decide its hypotheses
	Remote   bool      // allow a service that is not on this machine
}

// Run runs the experiment with the zero [Runner].
func Run(ctx context.Context, e hypotheses.Experiment) (hypotheses.Journal, error) {
	return Runner{}.Run(ctx, e)
}

// Run runs the experiment and returns its journal. An error means that it
// could not run, or that its plan cannot decide its hypotheses (an
// [*Undecidable]); a refuted hypothesis is no error. When ctx ends, the faults
// are lifted, what was started is stopped, and the partial journal is
// returned.
func (r Runner) Run(ctx context.Context, e hypotheses.Experiment) (hypotheses.Journal, error) {
	if err := e.Check(); err != nil {
		return hypotheses.Journal{}, err
	}
	if err := r.preflight(e); err != nil {
		return hypotheses.Journal{}, err
	}
	j, err := run.Run(ctx, e, run.Config{
		Dir: r.Dir, Tool: "brownout suites", Brownout: r.Brownout,
		LookupEnv: os.LookupEnv, Output: r.Output, Remote: r.Remote,
	})
	if err != nil || r.Dir == "" {
		return j, err
	}
	return j, report.WriteAll(r.Dir, "", hypotheses.Judge(j), j)
}

func (r Runner) preflight(e hypotheses.Experiment) error {
	if r.Anyway {
		return nil
	}
	undecidable := &Undecidable{Title: e.Title}
	for _, d := range hypotheses.Preflight(run.Plan(e)) {
		if !d.CanDecide {
			undecidable.Decisions = append(undecidable.Decisions, d)
		}
	}
	if len(undecidable.Decisions) == 0 {
		return nil
	}
	return undecidable
}

// Undecidable is the error of an experiment whose plan has too few samples to
// decide some hypotheses. Nothing was started.
type Undecidable struct {
	Title     string
	Decisions []hypotheses.Decision
}

// Error names each hypothesis and what would make it decidable.
func (u *Undecidable) Error() string {
	lines := []string{}
	for _, d := range u.Decisions {
		lines = append(lines, fmt.Sprintf("%q: %s", d.Says, d.Advice))
	}
	return fmt.Sprintf("experiment %q: this plan cannot decide %s", u.Title, strings.Join(lines, "; "))
}
