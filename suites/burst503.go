package suites

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
)

// The bursts of faults that hit every call: long enough for the second round
// of a retry loop, short enough that fallbacks stay below 40 % of the phase.
const (
	burstPhase = 10 * time.Second
	burstAt    = time.Second
	burstFor   = 2 * time.Second
)

// burst503: the provider is gone for two seconds.
func burst503() Family {
	return Family{
		Name:  "burst-503",
		Title: "two seconds of 503 neither multiply the calls nor outlast the burst",
		Fits:  "attempts",
		Fault: burstPhase,
		Rules: []faults.Rule{
			faults.On(faults.Unavailable{}).Between(burstAt, burstFor),
		},
		Claims: []hypotheses.Hypothesis{
			hypotheses.Recovery("").Within(5 * time.Second),
		},
	}
}
