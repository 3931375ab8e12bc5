package faults

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Point is a place in an answer: after so many chunks of content, after so
// many bytes of the body, or so long after the headers. The zero Point is the
// place before the first byte. At most one field is set.
type Point struct {
	Chunks int
	Bytes  int64
	Time   time.Duration
}

// Chunks is the point after n chunks of content.
func Chunks(n int) Point { return Point{Chunks: n} }

// Bytes is the point after n bytes of the body.
func Bytes(n int64) Point { return Point{Bytes: n} }

// IsZero reports whether the point is before the first byte.
func (p Point) IsZero() bool { return p == Point{} }

// String writes the point as experiment files do: "5 chunks", "300 bytes", "2s".
func (p Point) String() string {
	switch {
	case p.Chunks != 0:
		return fmt.Sprintf("%d chunks", p.Chunks)
	case p.Bytes != 0:
		return fmt.Sprintf("%d bytes", p.Bytes)
	default:
		return p.Time.String()
	}
}

// MarshalText writes the point as [Point.String] does.
func (p Point) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads "5 chunks", "300 bytes" or a time such as "2s".
func (p *Point) UnmarshalText(text []byte) error {
	const want = `want chunks, bytes or a time, such as "5 chunks", "300 bytes" or "2s"`
	s := string(text)
	number, unit, counted := strings.Cut(s, " ")
	if !counted {
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 {
			return fmt.Errorf("%q is not a point in an answer: %s", s, want)
		}
		*p = Point{Time: d}
		return nil
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a point in an answer: %s", s, want)
	}
	switch strings.TrimSpace(unit) {
	case "chunk", "chunks":
		*p = Point{Chunks: int(n)}
	case "byte", "bytes":
		*p = Point{Bytes: n}
	default:
		return fmt.Errorf("%q has an unknown unit %q: %s", s, unit, want)
	}
	return nil
}
