package suites

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// rateLimitRetryAfter: a wait that is obeyed twice costs more than a user has.
func rateLimitRetryAfter() Family {
	return Family{
		Name:  "rate-limit-retry-after",
		Title: "answers come in time from a provider that sheds a quarter of its calls and says: in two seconds",
		Fits:  "latency",
		Fault: 8 * time.Second,
		Rules: []faults.Rule{
			faults.On(faults.RateLimit{RetryAfter: faults.After(2 * time.Second)}).Share(0.25),
		},
	}
}

// rateLimit: without a wait to obey, retries of several layers multiply.
func rateLimit() Family {
	return Family{
		Name:  "rate-limit",
		Title: "a provider that sheds three calls in ten is not asked more than three times",
		Fits:  "attempts",
		Fault: 8 * time.Second,
		Rules: []faults.Rule{
			faults.On(faults.RateLimit{}).Share(0.30),
		},
	}
}
