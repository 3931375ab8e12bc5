package faults

// Reset reads the call and resets the connection without an answer. Over
// HTTP/2 it is one RST_STREAM. YAML: reset.
type Reset struct{}

// Kind is "reset".
func (Reset) Kind() string { return "reset" }

// Check passes always.
func (Reset) Check() error { return nil }

// Script ends with RST before the headers.
func (Reset) Script() Script {
	return Script{Break: &Break{Act: ActEnd, End: EndRST, Silent: true}}
}
