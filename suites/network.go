package suites

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// networkLatency: for four seconds, bytes from the provider take five. What is
// delayed passes when the latency is lifted, so the window must be longer than
// the users' patience by enough requests for a p99.
func networkLatency() Family {
	return Family{
		Name:  "network-latency",
		Title: "a network that grows slow is not waited for",
		Fits:  "latency",
		Fault: 15 * time.Second,
		Rules: []faults.Rule{
			faults.On(faults.Network{Toxic: faults.Latency{Latency: 5 * time.Second}}).Between(burstAt, patience+time.Second),
		},
	}
}

// networkReset: for two seconds, each answer breaks the connection. The calls
// have reached the provider by then: their work is done and lost.
func networkReset() Family {
	return Family{
		Name:  "network-reset",
		Title: "two seconds of broken connections do not multiply the calls",
		Fits:  "attempts",
		Fault: burstPhase,
		Rules: []faults.Rule{
			faults.On(faults.Network{Toxic: faults.ResetPeer{}}).Between(burstAt, burstFor),
		},
	}
}
