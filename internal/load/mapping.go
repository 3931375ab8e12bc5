package load

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/expression"
)

// presets are the streams that service files call by name, as the mappings
// they stand for.
func presets() map[string]hypotheses.Stream {
	return map[string]hypotheses.Stream{
		"sse":    {Format: "sse"},
		"ndjson": {Format: "ndjson"},
		"openai": {
			Format: "sse",
			Text:   "data.choices[0].delta.content",
			End:    `raw == "[DONE]"`,
			Error:  `data.error != nil or event == "error"`,
		},
		"anthropic": {
			Format: "sse",
			Text:   `data.type == "content_block_delta" ? data.delta.text : nil`,
			End:    `data.type == "message_stop"`,
			Error:  `data.type == "error" or event == "error"`,
		},
	}
}

// A mapping says what the events of a stream mean. Expressions that are nil
// have the defaults of [hypotheses.Stream].
type mapping struct {
	ndjson bool
	json   bool // every event but the end must be JSON
	parse  bool // an expression looks at data
	token  *expression.Program
	text   *expression.Program
	end    *expression.Program
	fault  *expression.Program
}

// newMapping compiles a stream, and is nil for answers that are not streamed.
func newMapping(s hypotheses.Stream) (*mapping, error) {
	if s.IsZero() {
		return nil, nil
	}
	m := &mapping{json: s.Preset == "openai" || s.Preset == "anthropic"}
	if s.Preset != "" {
		preset, ok := presets()[s.Preset]
		if !ok {
			return nil, fmt.Errorf("stream is %q: want sse, ndjson, openai, anthropic or a mapping with a format", s.Preset)
		}
		s = preset
	}
	m.ndjson = s.Format == "ndjson"
	m.json = m.json || m.ndjson
	for _, field := range []struct {
		name, source string
		into         **expression.Program
	}{{"token", s.Token, &m.token}, {"text", s.Text, &m.text}, {"end", s.End, &m.end}, {"error", s.Error, &m.fault}} {
		if field.source == "" {
			continue
		}
		program, err := expression.Compile(field.source, eventVariables("", nil, ""))
		if err != nil {
			return nil, fmt.Errorf("stream.%s: %w", field.name, err)
		}
		*field.into = program
		m.parse = m.parse || mentions(program, "data")
	}
	return m, nil
}

func (m *mapping) decoder() decoder {
	if m.ndjson {
		return newNDJSON()
	}
	return newSSE()
}

// eventVariables are what the expressions of a stream see.
func eventVariables(name string, data any, raw string) map[string]any {
	return map[string]any{"event": name, "data": data, "raw": raw}
}

// A reading is what an event means.
type reading struct {
	text      string
	token     bool // it carries content
	end       bool // it ends a complete answer
	fault     bool // it reports an error
	malformed bool // it should be JSON and is not
	err       error
}

// read says what an event means. What an expression that fails would have said
// stays false; err is its error.
func (m *mapping) read(ev event) reading {
	var data any
	malformed := false
	if m.parse || m.json {
		malformed = json.Unmarshal(ev.data, &data) != nil && m.json
	}
	raw := string(ev.data)
	env := eventVariables(ev.name, data, raw)
	r := reading{}
	if r.end = r.holds(m.end, env); r.end {
		return r
	}
	if r.fault = r.holds(m.fault, env) || m.fault == nil && ev.name == "error"; r.fault {
		return r
	}
	if r.malformed = malformed; r.malformed {
		return r
	}
	r.text = raw
	if m.text != nil {
		r.text = r.words(m.text, env)
	}
	r.token = r.text != ""
	if m.token != nil {
		r.token = r.holds(m.token, env)
	}
	return r
}

func (r *reading) holds(p *expression.Program, env map[string]any) bool {
	if p == nil {
		return false
	}
	yes, err := p.Bool(env)
	r.note(err)
	return yes && err == nil
}

// words is the value of p as text; nil is none.
func (r *reading) words(p *expression.Program, env map[string]any) string {
	value, err := p.Value(env)
	r.note(err)
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

func (r *reading) note(err error) {
	if r.err == nil {
		r.err = err
	}
}

// mentions reports whether the program looks at a variable.
func mentions(p *expression.Program, variable string) bool {
	return slices.Contains(p.Names(), variable)
}
