package load

import (
	"bytes"
	"fmt"
)

// An event is one event of a stream as it was sent.
type event struct {
	name string // "" where the event has none
	data []byte // valid until the next event
}

// A decoder turns the bytes of a stream into events. The events do not depend
// on how the bytes are split into reads.
type decoder interface {
	// feed hands each complete event to emit until it returns false.
	feed(chunk []byte, emit func(event) bool) error
	// finish takes the clean end of the bytes. An event that needs no more is
	// handed to emit.
	finish(emit func(event) bool) ending
}

// An ending is what the bytes of a stream were when they ended cleanly.
type ending int

const (
	endWhole ending = iota // whole events
	endCut                 // an event began and was not completed
	endAlien               // nothing in them was of the format
)

// sse decodes text/event-stream as the HTML standard has it: comments, ids
// and retry times are no events, nor is a block without data, and an event
// counts from the empty line that ends it.
type sse struct {
	lines   lines
	name    string
	data    []byte
	hasData bool
	open    bool // the event has fields and no end yet
	known   bool // a field of the format was seen
	unknown bool // a line that is none was seen
}

func newSSE() *sse { return &sse{lines: lines{max: maxLine}} }

func (s *sse) feed(chunk []byte, emit func(event) bool) error {
	var tooLong error
	err := s.lines.feed(chunk, func(line []byte) bool {
		if len(line) == 0 {
			return s.dispatch(emit)
		}
		s.field(line)
		if len(s.data) > s.lines.max {
			tooLong = fmt.Errorf("the data of an event is longer than %d bytes", s.lines.max)
		}
		return tooLong == nil
	})
	if tooLong != nil {
		return tooLong
	}
	return err
}

func (s *sse) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "": // a comment
	case "data":
		if s.hasData {
			s.data = append(s.data, '\n')
		}
		s.data = append(s.data, value...)
		s.hasData, s.open, s.known = true, true, true
	case "event":
		s.name, s.open, s.known = string(value), true, true
	case "id", "retry":
		s.known = true
	default:
		s.unknown = true
	}
}

func (s *sse) dispatch(emit func(event) bool) bool {
	ev, complete := event{name: s.name, data: s.data}, s.hasData
	s.name, s.data, s.hasData, s.open = "", s.data[:0], false, false
	return !complete || emit(ev)
}

func (s *sse) finish(func(event) bool) ending {
	rest := s.lines.rest()
	if len(rest) > 0 {
		s.field(rest)
	}
	switch {
	case s.unknown && !s.known:
		return endAlien
	case s.open || len(rest) > 0 && rest[0] != ':':
		return endCut
	default:
		return endWhole
	}
}
