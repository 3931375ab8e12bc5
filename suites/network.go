package suites

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// networkLatency: for two seconds, bytes from the provider take four.
func networkLatency() Family {
	return Family{
		Name:  "network-latency",
		Title: "a network that grows slow is not waited for",
		Fits:  "latency",
		Fault: burstPhase,
		Rules: []faults.Rule{
			faults.On(faults.Network{Toxic: faults.Latency{Latency: 4 * time.Second}}).Between(burstAt, burstFor),
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
