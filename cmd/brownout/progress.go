package main

import (
	"fmt"
	"io"
	"time"

	"github.com/brownout-chaos/brownout/internal/run"
)

// progress shows how far a run is: one line that renews itself on a terminal,
// a plain line per phase elsewhere.
type progress struct {
	out   io.Writer
	live  bool
	phase string
	drawn bool
}

func newProgress(out io.Writer, title string) *progress {
	fmt.Fprintln(out, title)
	return &progress{out: out, live: isTerminal(out)}
}

func (p *progress) show(s run.Progress) {
	line := fmt.Sprintf("  %5.1fs", s.Elapsed.Seconds())
	if s.Planned > 0 {
		line += fmt.Sprintf(" of %v", s.Planned.Round(time.Second))
	}
	line += fmt.Sprintf("  %-9s %d answers, %d failed, %d leaf calls", s.Phase, s.Requests, s.Failed, s.Calls)
	if p.live {
		fmt.Fprint(p.out, "\r\x1b[K"+line)
		p.drawn = true
		return
	}
	if s.Phase != p.phase {
		p.phase = s.Phase
		fmt.Fprintln(p.out, line)
	}
}

func (p *progress) close() {
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
