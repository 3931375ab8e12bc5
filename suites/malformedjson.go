package suites

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
)

// malformedJSON: status 200 and a body that does not parse. SDKs do not retry
// it, and a plain retry meets it again.
func malformedJSON() Family {
	return Family{
		Name:  "malformed-json",
		Title: "a broken answer from the provider is no broken answer to the user",
		Fits:  "errors",
		Fault: 8 * time.Second,
		Rules: []faults.Rule{
			faults.On(faults.MalformedJSON{}).Share(0.40),
		},
		Claims: []hypotheses.Hypothesis{
			hypotheses.Errors("").AtMost(0.02).In(faultPhase),
		},
	}
}
