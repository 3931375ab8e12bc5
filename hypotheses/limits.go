package hypotheses

import (
	"slices"
	"time"
)

// leafCallsPerRequest bounds the leaf calls of a run whose limits name no number:
// three layers of three attempts around an SDK that makes three are 81.
const leafCallsPerRequest = 100

// EffectiveLimits are the limits with their defaults filled in: twice the
// planned time plus the drain, and 100 leaf calls per planned request. A
// duration of 0 means that the plan's length is not known ahead, leaf calls of 0
// that its requests are not.
func (e Experiment) EffectiveLimits(planned int) Limits {
	limits := e.Limits
	if length, known := e.Load.Length(); limits.Duration == 0 && known {
		limits.Duration = 2*length + time.Minute
	}
	if limits.LeafCalls == 0 && !e.Load.hasUsers() {
		limits.LeafCalls = leafCallsPerRequest * max(planned, 100)
	}
	return limits
}

// hasUsers reports whether users decide how many requests there are.
func (l Load) hasUsers() bool {
	return l.Users > 0 || slices.ContainsFunc(l.Phases, func(p Phase) bool { return p.Users > 0 })
}
