package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/journal"
	"github.com/brownout-chaos/brownout/internal/load"
	"github.com/brownout-chaos/brownout/internal/secrets"
	"github.com/brownout-chaos/brownout/internal/target"
)

// Config is what a run needs beside the experiment. The zero value runs
// quietly and keeps the journal in memory.
type Config struct {
	Dir       string                      // result directory for journal.jsonl; "": in memory only
	Tool      string                      // name and version of the tool, for the journal
	Command   string                      // command line that repeats the run, for the journal
	Brownout  string                      // the brownout binary, for services started as "brownout service"; "": the one on PATH
	LookupEnv func(string) (string, bool) // values of ${env.NAME}; nil: none is set
	Output    io.Writer                   // output of the service; nil: only its tail, in errors
	Progress  func(Progress)              // called at each phase and about once a second, one call at a time; nil: never
	Remote    bool                        // allow a service address that is not loopback
}

// Progress is how far a run is.
type Progress struct {
	Phase    string        // the phase that is running
	Elapsed  time.Duration // since the first phase began
	Planned  time.Duration // length of all phases; 0: not known ahead
	Requests int           // answers so far
	Failed   int           // failed answers so far
	Calls    int           // leaf calls so far
}

// Run runs the experiment and returns its journal. An error means that it
// could not run: nothing was learned about the service. A run that was ended
// by a guard, a limit or the end of ctx, or whose service died, is no error:
// the journal says so and holds what was seen until then.
func Run(ctx context.Context, e hypotheses.Experiment, cfg Config) (hypotheses.Journal, error) {
	if err := e.Check(); err != nil {
		return hypotheses.Journal{}, err
	}
	e, err := guardRemote(e, cfg.Remote)
	if err != nil {
		return hypotheses.Journal{}, err
	}
	s := &session{experiment: e, cfg: cfg, requests: newTally(e), limits: e.EffectiveLimits(len(Plan(e).Requests))}
	defer s.close()
	if err := s.start(ctx); err != nil {
		return hypotheses.Journal{}, err
	}
	if err := s.drive(ctx); err != nil {
		return hypotheses.Journal{}, err
	}
	return s.finish()
}

// A session is the state of one run. It is built in start, used in drive and
// taken down in close.
type session struct {
	experiment hypotheses.Experiment
	cfg        Config

	recorder  recorder
	providers providers
	service   *target.Running
	windows   *windows
	requests  *tally
	limits    hypotheses.Limits
	telling   sync.Mutex // of progress: one call at a time
	end       hypotheses.End
	health    hypotheses.Health
}

// start brings up providers, edges and the service, in this order, since the
// service needs the addresses of the others.
func (s *session) start(ctx context.Context) error {
	var err error
	if s.providers, err = startProviders(s.experiment, &s.recorder); err != nil {
		return err
	}
	s.service, err = target.Start(ctx, s.experiment.Service, target.Options{
		Lookup:   s.lookup,
		Output:   s.cfg.Output,
		Brownout: s.cfg.Brownout,
	})
	if err != nil {
		return fmt.Errorf("start service: %w", err)
	}
	return nil
}

// lookup gives the values of ${...} that are known for the whole run.
func (s *session) lookup(name string) (string, bool) {
	if value, ok := s.providers.lookup(name); ok {
		return value, true
	}
	return hypotheses.LookupEnv(name, s.cfg.LookupEnv)
}

// drive runs the phases and returns when the last answer is in, or when
// something ended the run early.
func (s *session) drive(ctx context.Context) error {
	started := time.Now()
	writer, err := s.openJournal(started)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	s.recorder.open(writer, started)
	s.windows = newWindows(s.experiment, s.providers, &s.recorder, started)

	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	stopWatch := s.watch(abort)
	defer stopWatch()

	phases := phaseRecorder{recorder: &s.recorder, windows: s.windows, progress: s.progress}
	s.health, err = load.Drive(ctx, load.Config{
		Base:    s.service.URL(),
		Service: s.experiment.Service,
		Load:    s.experiment.Load,
		Seed:    s.experiment.Seed,
		Started: started,
		Lookup:  s.lookup,
		Seen:    s.experiment.Paths(),
		Record:  s.record,
		Phase:   phases.begin,
	})
	if err != nil && ctx.Err() == nil {
		_, closed := s.recorder.close(s.health, s.end)
		return errors.Join(fmt.Errorf("drive load: %w", err), closed)
	}
	s.drain(ctx)
	s.windows.lift()
	phases.close()
	s.noteEnd(context.Cause(ctx))
	return nil
}

func (s *session) openJournal(started time.Time) (*journal.Writer, error) {
	return journal.Create(s.cfg.Dir, hypotheses.Run{
		Tool:       s.cfg.Tool,
		Experiment: s.experiment,
		Seed:       s.experiment.Seed,
		Command:    s.cfg.Command,
		Started:    started,
		Recorded:   s.experiment.Paths(),
	}, 0)
}

func (s *session) record(r hypotheses.Request) {
	s.requests.add(r, time.Now())
	s.recorder.request(r)
}

// noteEnd says in the journal why the run ended, where it was not by itself.
func (s *session) noteEnd(cause error) {
	var died serviceDied
	switch {
	case errors.As(cause, &died):
		s.end.Died = s.redactor().Text(died.how)
	case cause != nil:
		s.end.AbortedBy = cause.Error()
	}
}

// redactor hides the values of the experiment's variables: the last words of a
// service that died may name them.
func (s *session) redactor() *secrets.Redactor {
	values := map[string]string{}
	for _, name := range s.experiment.EnvVariables() {
		if value, ok := s.lookup("env." + name); ok {
			values[value] = "${env." + name + "}"
		}
	}
	return secrets.New(values)
}

// finish takes everything down, writes the last records and returns the
// journal.
func (s *session) finish() (hypotheses.Journal, error) {
	s.close()
	s.health.ProviderLateness = s.recorder.providerLateness()
	return s.recorder.close(s.health, s.end)
}

// close is the unconditional undo. It may be called twice. The providers end
// before the service does: a call that is still open then was ended by us, and
// must not be recorded as one whose caller left.
func (s *session) close() {
	if s.windows != nil {
		s.windows.lift()
	}
	s.providers.close(func(text string) { s.recorder.note(noteInfrastructure, text) })
	if s.service == nil {
		return
	}
	if err := s.service.Stop(); err != nil {
		s.recorder.note(noteInfrastructure, "stop service: "+err.Error())
	}
	s.service = nil
}
