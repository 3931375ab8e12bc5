package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// common are the flags of the commands that run experiments.
type common struct {
	Service string `placeholder:"FILE|URL" help:"Test this service instead of the one the experiment names."`
	running
}

// running are the flags of a run whatever service it tests.
type running struct {
	Out          string             `placeholder:"DIR" help:"Result directory (default: brownout-results/TIME-TITLE, one per experiment)."`
	Format       string             `default:"text" help:"What goes to stdout: text, json, junit or markdown."`
	Seed         *uint64            `placeholder:"N" help:"Use this seed instead of the experiment's."`
	Quiet        bool               `help:"No progress on stderr."`
	Timeout      time.Duration      `placeholder:"TIME" help:"Abort each run after this time."`
	Inconclusive inconclusivePolicy `default:"fail" placeholder:"POLICY" help:"fail (exit 3), warn, or warn:REASON,... (default: fail)."`
	Anyway       bool               `help:"Run a plan that cannot decide its hypotheses."`
	Yes          bool               `help:"Allow a service that is not on this machine."`
	NoColor      bool               `help:"No colours on a terminal (NO_COLOR also turns them off)."`
}

// parseExperiments reads all files before anything starts: one bad file starts
// nothing.
func parseExperiments(files []string, service string, seed *uint64) ([]hypotheses.Experiment, error) {
	override, url, err := parseOverride(service)
	if err != nil {
		return nil, err
	}
	list := make([]hypotheses.Experiment, 0, len(files))
	for _, file := range files {
		e, err := hypotheses.ParseExperiment(file, override)
		if err != nil {
			return nil, err
		}
		if url != "" {
			e.Service.Subject.URL, e.Service.Subject.Command = url, nil
			if err := e.Check(); err != nil {
				return nil, fmt.Errorf("--service %s: %w", url, err)
			}
		}
		if seed != nil {
			e.Seed = *seed
		}
		list = append(list, e)
	}
	return list, nil
}

// parseOverride reads --service: a file replaces the experiment's service, a
// URL only its address.
func parseOverride(service string) (override *hypotheses.Service, url string, err error) {
	switch {
	case service == "":
		return nil, "", nil
	case strings.HasPrefix(service, "http://"), strings.HasPrefix(service, "https://"):
		return nil, service, nil
	}
	parsed, err := hypotheses.ParseService(service)
	return &parsed, "", err
}

// resultDir makes the directory for an experiment's results. It must not hold
// any yet, and of several runs at once each gets its own.
func resultDir(out string, e hypotheses.Experiment, several bool, now time.Time) (string, error) {
	dir := out
	switch {
	case out == "":
		dir = filepath.Join("brownout-results", now.Format("20060102-150405")+"-"+slug(e.Title))
	case several:
		dir = filepath.Join(out, slug(e.Title))
	}
	if out != "" && !several {
		if _, err := os.Stat(filepath.Join(dir, "journal.jsonl")); err == nil {
			return "", fmt.Errorf("--out %s: it already holds a journal, and results are never written over\nhint: name another directory, or move this one away", out)
		}
		return dir, os.MkdirAll(dir, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	for n, base := 2, dir; ; n++ {
		err := os.Mkdir(dir, 0o755)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
		dir = fmt.Sprintf("%s-%d", base, n)
	}
}

// slug makes a title fit for a file name.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 60 {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "experiment"
}
