package openai

import (
	"bytes"
	"encoding/json"

	"github.com/brownout-chaos/brownout/fakes/dialect"
)

type chunk struct {
	ID          string          `json:"id"`
	Object      string          `json:"object"`
	Created     int64           `json:"created"`
	Model       string          `json:"model"`
	ServiceTier string          `json:"service_tier"`
	Fingerprint string          `json:"system_fingerprint"`
	Choices     []chunkChoice   `json:"choices"`
	Usage       json.RawMessage `json:"usage,omitempty"` // null in all chunks but the last, where usage was asked for
}

type chunkChoice struct {
	Index    int             `json:"index"`
	Delta    json.RawMessage `json:"delta"`
	LogProbs *struct{}       `json:"logprobs"`
	Finish   *string         `json:"finish_reason"`
}

// placeholder stands where the token goes in a frame that is encoded once and
// used for every token.
const placeholder = `\u0000`

// stream is a chat answer as server-sent events. The choices take turns.
type stream struct {
	text    text // escaped
	choices int
	heads   [][]byte // one per choice
	before  [][]byte // what is before and after a token, one per choice
	after   [][]byte
	tails   [][]byte
}

func newStream(a chatAnswer, withUsage bool) *stream {
	s := &stream{text: a.text.escaped(), choices: a.choices}
	c := chunk{
		ID: a.id, Object: "chat.completion.chunk", Created: a.created, Model: a.model,
		ServiceTier: "default", Fingerprint: fingerprint,
	}
	if withUsage {
		c.Usage = json.RawMessage("null")
	}
	for i := range a.choices {
		s.heads = append(s.heads, event(c.with(i, a.opening(), nil)))
		token := event(c.with(i, a.piece(), nil))
		at := bytes.LastIndex(token, []byte(placeholder))
		s.before, s.after = append(s.before, token[:at]), append(s.after, token[at+len(placeholder):])
		s.tails = append(s.tails, event(c.with(i, json.RawMessage("{}"), &a.finish)))
	}
	if withUsage {
		c.Choices, c.Usage = []chunkChoice{}, a.usage.append(nil)
		s.tails = append(s.tails, event(c))
	}
	s.tails = append(s.tails, []byte("data: [DONE]\n\n"))
	return s
}

func (c chunk) with(index int, delta json.RawMessage, finish *string) chunk {
	c.Choices = []chunkChoice{{Index: index, Delta: delta, Finish: finish}}
	return c
}

// opening is the first delta: the role, and the name of the tool that is
// called.
func (a chatAnswer) opening() json.RawMessage {
	if a.tool == "" {
		return json.RawMessage(`{"role":"assistant","content":"","refusal":null}`)
	}
	return json.RawMessage(`{"role":"assistant","content":null,"tool_calls":[{"index":0,` + a.call()[1:] + `"}}]}`)
}

// piece is the delta of a token, with a placeholder for it.
func (a chatAnswer) piece() json.RawMessage {
	if a.tool == "" {
		return json.RawMessage(`{"content":"` + placeholder + `"}`)
	}
	return json.RawMessage(`{"tool_calls":[{"index":0,"function":{"arguments":"` + placeholder + `"}}]}`)
}

func event(c chunk) []byte { return frame(encode(c)) }

func frame(data []byte) []byte {
	return bytes.Join([][]byte{[]byte("data: "), data, []byte("\n\n")}, nil)
}

// Len counts the frames.
func (s *stream) Len() int {
	_, end := s.Content()
	return end + len(s.tails)
}

// Content leaves out the role, the finish reason, the usage and [DONE].
func (s *stream) Content() (first, end int) {
	return len(s.heads), len(s.heads) + s.text.len*s.choices
}

// Append appends frame i.
func (s *stream) Append(dst []byte, i int) []byte {
	first, end := s.Content()
	switch {
	case i < first:
		return append(dst, s.heads[i]...)
	case i >= end:
		return append(dst, s.tails[i-end]...)
	}
	token, choice := (i-first)/s.choices, (i-first)%s.choices
	dst = append(dst, s.before[choice]...)
	dst = s.text.append(dst, token)
	return append(dst, s.after[choice]...)
}

// Damage damages the data of an event.
func (*stream) Damage(frame []byte, how string) []byte { return dialect.DamageJSON(frame, how) }

// Ping is a comment.
func (*stream) Ping() []byte { return []byte(": keep-alive\n\n") }

// Failure is an event with an error for its data.
func (*stream) Failure() []byte { return frame(encode(envelope{wordStatus(500)})) }
