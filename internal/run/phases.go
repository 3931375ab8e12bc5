package run

import (
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// phaseRecorder hears of each phase from the load, switches the faults before
// the first request of the phase, and records the phase when it is over.
type phaseRecorder struct {
	recorder *recorder
	windows  *windows
	progress func(phase string)
	open     *hypotheses.PhaseSpan
}

func (p *phaseRecorder) begin(name string, at time.Duration) {
	p.endAt(at)
	p.windows.enter(name)
	p.open = &hypotheses.PhaseSpan{Name: name, Start: hypotheses.Seconds(at)}
	p.recorder.phase(*p.open)
	p.progress(name)
}

func (p *phaseRecorder) close() { p.endAt(time.Since(p.windows.started)) }

func (p *phaseRecorder) endAt(at time.Duration) {
	if p.open == nil {
		return
	}
	p.open.End = hypotheses.Seconds(at)
	p.recorder.phase(*p.open)
	p.open = nil
}
