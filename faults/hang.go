package faults

// Hang accepts the call and never answers; the connection stays open until the
// caller leaves. With headers the 200 and its headers are sent first. YAML:
// hang: {headers: true}.
type Hang struct {
	Headers bool `json:"headers,omitempty"`
}

// Kind is "hang".
func (Hang) Kind() string { return "hang" }

// Check passes always.
func (Hang) Check() error { return nil }

// Script stalls before the first byte of the body.
func (f Hang) Script() Script {
	return Script{Break: &Break{Act: ActStall, Silent: !f.Headers}}
}
