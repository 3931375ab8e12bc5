package faults

import (
	"fmt"
	"time"
)

// Stall sends part of the answer and then nothing more, with the connection
// open. YAML: stall: {after: 5 chunks, keep_alive: 1s, resume: 3s}.
type Stall struct {
	After     Point         `json:"after,omitzero"`       // zero: after 3 chunks
	KeepAlive time.Duration `json:"keep_alive,omitempty"` // period of comments that carry no content; 0: silence
	Resume    time.Duration `json:"resume,omitempty"`     // length of the stall; 0: until the caller leaves
}

// Kind is "stall".
func (Stall) Kind() string { return "stall" }

// Check reports negative times.
func (f Stall) Check() error {
	if f.KeepAlive < 0 || f.Resume < 0 {
		return fmt.Errorf("keep_alive and resume are times of 0s or more, got %v and %v", f.KeepAlive, f.Resume)
	}
	return nil
}

// Script stalls at After.
func (f Stall) Script() Script {
	return Script{Break: &Break{Act: ActStall, After: midStream(f.After), KeepAlive: f.KeepAlive, Resume: f.Resume}}
}
