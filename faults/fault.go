package faults

// A Fault is one thing that can go wrong. The types of [Catalogue] are the
// only implementations.
type Fault interface {
	// Kind is the key of the fault in experiment files, such as "rate_limit".
	Kind() string
	// Check reports a value that cannot be played, in words that name the key
	// and what was expected. A zero value of every fault passes.
	Check() error
}

// A Scripted fault is played by the provider itself: its Script says what the
// provider does with the call it fires on. Every fault of [Catalogue] is
// Scripted but [Network].
type Scripted interface {
	Fault
	Script() Script
}

// Catalogue lists every fault of experiment files as a zero value, in the
// order of the documentation: before content, mid-stream, network.
func Catalogue() []Fault {
	return []Fault{
		RateLimit{}, Unavailable{}, Status{}, Overloaded{}, QuotaExhausted{},
		SlowFirstToken{}, Hang{}, Reset{}, Empty{}, HTMLPage{}, MalformedJSON{},
		Stall{}, Truncate{}, MalformedChunk{}, StreamError{}, SlowTokens{},
		Network{},
	}
}
