package specs

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/onsi/ginkgo/v2"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/suites"
)

// A trial is one family against one service. Its result is there once done is
// closed.
type trial struct {
	name       string
	title      string
	fits       string
	dir        string
	experiment hypotheses.Experiment

	once    sync.Once
	done    chan struct{}
	verdict hypotheses.Verdict
	misfire string // how the ledger shows that the faults did not fire as planned
	err     error
}

// A pool runs the trials of one service, some of them ahead of their specs so
// that several run side by side.
type pool struct {
	service hypotheses.Service
	runner  suites.Runner
	trials  []*trial
	slots   chan struct{} // shared by the pools of a suite
	running sync.WaitGroup
	ctx     context.Context // of the experiments: a spec's own ends with the spec
	stop    context.CancelCauseFunc
}

// pool builds the experiments of a service. One that cannot be built fails its
// specs, not the whole suite.
func (s *Suite) pool(text string, service hypotheses.Service) *pool {
	s.once.Do(func() { s.slots = make(chan struct{}, max(1, s.SideBySide)) })
	families := s.Families
	if families == nil {
		families = suites.Families()
	}
	p := &pool{service: service, runner: s.Runner, slots: s.slots}
	p.ctx, p.stop = context.WithCancelCause(context.Background())
	for _, f := range families {
		t := &trial{name: f.Name, title: f.Title, fits: f.Fits, done: make(chan struct{})}
		if s.Runner.Dir != "" {
			t.dir = filepath.Join(s.Runner.Dir, text, f.Name)
		}
		t.experiment, t.err = f.Experiment(service)
		p.trials = append(p.trials, t)
	}
	return p
}

// await returns when the trial has its verdict. It also starts the trials
// after it, as many as there are slots, if all of them will be wanted.
func (p *pool) await(ctx context.Context, t *trial) error {
	p.start(t)
	if p.ahead() {
		for _, other := range p.trials {
			p.start(other)
		}
	}
	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		p.stop(context.Cause(ctx))
		p.running.Wait() // faults are lifted and services stopped before the suite ends
		return context.Cause(ctx)
	}
}

// ahead reports whether every trial of the pool will be wanted by this
// process: no filter, no sharing of specs with other processes.
func (p *pool) ahead() bool {
	suite, _ := ginkgo.GinkgoConfiguration()
	filtered := suite.LabelFilter != "" || len(suite.FocusStrings)+len(suite.SkipStrings)+len(suite.FocusFiles)+len(suite.SkipFiles) > 0
	return cap(p.slots) > 1 && p.service.Subject.URL == "" && suite.ParallelTotal == 1 && !filtered
}

func (p *pool) start(t *trial) {
	t.once.Do(func() {
		p.running.Go(func() {
			defer close(t.done)
			if t.err != nil {
				return
			}
			p.slots <- struct{}{}
			defer func() { <-p.slots }()
			p.run(t)
		})
	})
}

func (p *pool) run(t *trial) {
	runner := p.runner
	runner.Dir = t.dir
	j, err := runner.Run(p.ctx, t.experiment)
	if err != nil {
		t.err = err
		return
	}
	t.verdict, t.misfire = hypotheses.Judge(j), misfire(j)
}

// misfire holds the plan of each fault against the ledger: it must have fired,
// and each call it fired on must have been answered as planned, unless its
// caller left before.
func misfire(j hypotheses.Journal) string {
	for _, w := range j.Windows {
		if w.Fired == 0 && w.Kind != "down" {
			return fmt.Sprintf("%s did not fire: it matched %d", w.Name, w.Matched)
		}
	}
	for _, c := range j.Calls {
		if c.Fault == "" || c.HungUp != "" {
			continue
		}
		if c.Planned.Status != c.Achieved.Status || c.Planned.End != c.Achieved.End {
			return fmt.Sprintf("call %d of %s under %s: planned status %d and end %s, achieved status %d and end %s",
				c.ID, c.Provider, c.Fault, c.Planned.Status, c.Planned.End, c.Achieved.Status, c.Achieved.End)
		}
	}
	return ""
}
