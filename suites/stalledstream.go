package suites

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// stalledStream: headers and some tokens come, then silence. Only an idle
// timeout sees it.
func stalledStream() Family {
	return Family{
		Name:    "stalled-stream",
		Title:   "a stream that falls silent is given up and answered otherwise",
		Fits:    "latency",
		Streams: true,
		Fault:   8 * time.Second,
		Rules: []faults.Rule{
			faults.On(faults.Stall{After: faults.Chunks(5)}).Share(0.25),
		},
	}
}
