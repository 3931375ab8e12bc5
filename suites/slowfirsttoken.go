package suites

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// slowFirstToken: the provider answers, but the first token takes five
// seconds.
func slowFirstToken() Family {
	return Family{
		Name:  "slow-first-token",
		Title: "a first token that takes five seconds is not waited for",
		Fits:  "latency",
		Fault: 8 * time.Second,
		Rules: []faults.Rule{
			faults.On(faults.SlowFirstToken{Delay: 5 * time.Second}).Share(0.25),
		},
	}
}
