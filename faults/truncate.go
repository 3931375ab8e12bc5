package faults

import "fmt"

// Truncate sends part of the answer and ends it. A clean end in the middle of
// a stream is silent success for most clients. YAML: truncate: {after: 300
// bytes, end: fin}.
type Truncate struct {
	After Point `json:"after,omitzero"` // zero: after 3 chunks
	End   End   `json:"end,omitempty"`  // "": clean
}

// Kind is "truncate".
func (Truncate) Kind() string { return "truncate" }

// Check reports an unknown end.
func (f Truncate) Check() error {
	switch f.End {
	case "", EndClean, EndFIN, EndRST:
		return nil
	}
	return fmt.Errorf("end is %q: want clean, fin or rst", f.End)
}

// Script ends the answer at After.
func (f Truncate) Script() Script {
	end := f.End
	if end == "" {
		end = EndClean
	}
	return Script{Break: &Break{Act: ActEnd, After: midStream(f.After), End: end}}
}
