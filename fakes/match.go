package fakes

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/brownout-chaos/brownout/faults"
)

// facts are what rules look at.
type facts struct {
	api     string
	model   string
	stream  bool
	header  http.Header
	body    []byte
	key     string // correlation key
	attempt int    // number in the attempt group

	fields  map[string]any // of the body, once they were asked for
	decoded bool
}

// bodyFields are the fields of a JSON body; nil where it is no object.
func (f *facts) bodyFields() map[string]any {
	if !f.decoded {
		f.decoded = true
		if json.Unmarshal(f.body, &f.fields) != nil {
			f.fields = nil
		}
	}
	return f.fields
}

// matches reports whether m allows the call; the body is looked at last.
func matches(m faults.Match, f *facts) bool {
	switch {
	case m.API != "" && m.API != f.api,
		m.Model != "" && !glob(m.Model, f.model),
		m.Stream != nil && *m.Stream != f.stream,
		m.Key != "" && m.Key != apiKey(f.header):
		return false
	}
	for name, value := range m.Header {
		if f.header.Get(name) != value {
			return false
		}
	}
	return true
}

// glob matches a pattern in which * stands for any text, as in gpt-4o*.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) || !strings.HasSuffix(s, last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(s, part)
		if at < 0 {
			return false
		}
		s = s[at+len(part):]
	}
	return true
}
