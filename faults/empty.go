package faults

// Empty answers 200 with the right headers and no content at all: no body, or
// a stream without one event. Most clients take the stream for success. YAML:
// empty.
type Empty struct{}

// Kind is "empty".
func (Empty) Kind() string { return "empty" }

// Check passes always.
func (Empty) Check() error { return nil }

// Script ends cleanly after the headers.
func (Empty) Script() Script {
	return Script{Break: &Break{Act: ActEnd, End: EndClean}}
}
