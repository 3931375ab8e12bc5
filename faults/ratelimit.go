package faults

// RateLimit answers 429 before any content: too many requests for now. YAML:
// rate_limit: {retry_after: 2s, code: rate_limit_exceeded}.
type RateLimit struct {
	RetryAfter RetryAfter `json:"retry_after,omitzero"`
	Code       string     `json:"code,omitempty"` // error code in the body; "": the dialect's own
}

// Kind is "rate_limit".
func (RateLimit) Kind() string { return "rate_limit" }

// Check reports a wait that its header cannot express.
func (f RateLimit) Check() error { return f.RetryAfter.Check() }

// Script answers 429 with the wait.
func (f RateLimit) Script() Script {
	return Script{Reply: &Reply{Class: ClassRateLimit, Status: 429, Code: f.Code, RetryAfter: f.RetryAfter}}
}
