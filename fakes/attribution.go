package fakes

import (
	"bytes"
	"slices"
	"strings"
)

// A correlation is what ties a call to a user request.
type correlation struct {
	trace   string   // trace id of traceparent
	header  string   // value of the attribution header
	markers []string // request ids planted in the body, each once
	body    string   // hash of the body
}

// key is the strongest tie there is.
func (c correlation) key() string {
	switch {
	case c.trace != "":
		return c.trace
	case c.header != "":
		return c.header
	case len(c.markers) > 0:
		return c.markers[0]
	}
	return c.body
}

// traceID is the trace id of a W3C traceparent; "" where it is none.
func traceID(traceparent string) string {
	const versionEnd, traceEnd, spanEnd = 2, 35, 52
	p := traceparent
	if len(p) < spanEnd || p[versionEnd] != '-' || p[traceEnd] != '-' || p[spanEnd] != '-' {
		return ""
	}
	id := p[versionEnd+1 : traceEnd]
	if strings.Trim(id, "0123456789abcdef") != "" || strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// maxMarkers bounds the request ids kept of one call.
const maxMarkers = 16

// markers finds the request ids in markers such as brownout-1a2b3c4d-r-000123.
func markers(body []byte) []string {
	const (
		start   = "brownout-"
		run     = 8 // hex digits
		request = "-r-"
		digits  = 6 // at least
	)
	var found []string
	for len(found) < maxMarkers {
		at := bytes.Index(body, []byte(start))
		if at < 0 {
			break
		}
		body = body[at+len(start):]
		if len(body) < run+len(request) || !all(body[:run], isHex) || string(body[run:run+len(request)]) != request {
			continue
		}
		number := body[run+len(request):]
		n := 0
		for n < len(number) && isDigit(number[n]) {
			n++
		}
		id := "r-" + string(number[:n])
		if n >= digits && !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	return found
}

func all(text []byte, ok func(byte) bool) bool {
	return !slices.ContainsFunc(text, func(b byte) bool { return !ok(b) })
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isHex(b byte) bool { return isDigit(b) || 'a' <= b && b <= 'f' }
