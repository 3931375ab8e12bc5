package load

import (
	"bytes"
	"fmt"
)

// maxLine bounds a line of a stream, and the data of one event.
const maxLine = 32 << 20

// lines cuts a stream into lines that end with LF, CRLF or CR, whatever the
// reads it comes in, and drops a byte order mark at its start.
type lines struct {
	max     int
	partial []byte // of a line whose end was not read yet
	afterCR bool   // a LF right now belongs to the line before
	begun   bool   // the first line is over
}

// feed hands each complete line to line until it returns false. The bytes are
// valid until then.
func (l *lines) feed(chunk []byte, line func([]byte) bool) error {
	for len(chunk) > 0 {
		if l.afterCR {
			l.afterCR = false
			if chunk[0] == '\n' {
				chunk = chunk[1:]
				continue
			}
		}
		end := lineEnd(chunk)
		if len(l.partial)+max(end, 0) > l.max || end < 0 && len(l.partial)+len(chunk) > l.max {
			return fmt.Errorf("a line of the stream is longer than %d bytes", l.max)
		}
		if end < 0 {
			l.partial = append(l.partial, chunk...)
			return nil
		}
		full := chunk[:end]
		if len(l.partial) > 0 {
			full = append(l.partial, full...)
			l.partial = full[:0]
		}
		l.afterCR = chunk[end] == '\r'
		chunk = chunk[end+1:]
		if !line(l.unmarked(full)) {
			return nil
		}
	}
	return nil
}

// rest is the last line when the stream ended without a line end.
func (l *lines) rest() []byte { return l.unmarked(l.partial) }

func (l *lines) unmarked(line []byte) []byte {
	if !l.begun {
		l.begun = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line
}

// lineEnd is the place of the first LF or CR, or -1.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}
