package faults

// Overloaded is the dialect's own word for "too much load at the moment":
// 503 server_is_overloaded at OpenAI, 529 overloaded_error at Anthropic. YAML:
// overloaded: {retry_after: 1s}.
type Overloaded struct {
	RetryAfter RetryAfter `json:"retry_after,omitzero"`
}

// Kind is "overloaded".
func (Overloaded) Kind() string { return "overloaded" }

// Check reports a wait that its header cannot express.
func (f Overloaded) Check() error { return f.RetryAfter.Check() }

// Script leaves status and body to the dialect.
func (f Overloaded) Script() Script {
	return Script{Reply: &Reply{Class: ClassOverloaded, RetryAfter: f.RetryAfter}}
}
