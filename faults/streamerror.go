package faults

// StreamError sends part of a stream and then the dialect's own error event
// under the status 200 that was sent long ago. An answer that is not streamed
// is the dialect's error for status 500. YAML: stream_error: {after: 5 chunks}.
type StreamError struct {
	After Point `json:"after,omitzero"` // zero: after 3 chunks
}

// Kind is "stream_error".
func (StreamError) Kind() string { return "stream_error" }

// Check passes always.
func (StreamError) Check() error { return nil }

// Script sends the error event at After.
func (f StreamError) Script() Script {
	return Script{Break: &Break{Act: ActError, After: midStream(f.After)}}
}
