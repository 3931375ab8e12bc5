package openai

import (
	"encoding/json"
	"strconv"

	"github.com/brownout-chaos/brownout/fakes/dialect"
)

const fingerprint = "fp_brownout"

// chatAnswer is what the model says, before it has the form of a whole answer
// or a stream.
type chatAnswer struct {
	id      string
	created int64
	model   string
	choices int
	text    text
	tool    string // name of the tool that is called with text; "": none
	finish  string
	usage   usage
}

func newChatAnswer(q *chatRequest, o dialect.Origin) chatAnswer {
	a := chatAnswer{
		id:      "chatcmpl-" + o.ID,
		created: o.Now.Unix(),
		model:   q.Model,
		choices: q.choices(),
		text:    numbered(o.Provider, o.Words),
		finish:  "stop",
	}
	if t := q.forced(); t != nil {
		a.tool, a.finish = t.Function.Name, "tool_calls"
		a.text = pieces(string(instanceOf(t.Function.Parameters)))
	} else if f := q.ResponseFormat; f != nil && f.Type != "text" {
		a.text = pieces(string(instanceOf(f.JSONSchema.Schema)))
	}
	if limit := q.limit(); limit != nil && *limit < a.text.len {
		a.text = a.text.first(*limit)
		a.finish = "length"
	}
	a.usage = usage{prompt: q.promptTokens(), completion: a.text.len * a.choices}
	return a
}

// instanceOf is {} without a schema, as for a tool without parameters or the
// response format json_object.
func instanceOf(schema json.RawMessage) json.RawMessage {
	if len(schema) == 0 {
		return json.RawMessage("{}")
	}
	return dialect.Instance(schema)
}

// body is the whole answer. It is put together by hand: encoding it by
// reflection is the most expensive part of a call.
func (a chatAnswer) body() []byte {
	said := a.text.escaped()
	b := make([]byte, 0, 640+a.choices*(128+said.size()))
	b = append(b, `{"id":"`+a.id+`","object":"chat.completion","created":`...)
	b = strconv.AppendInt(b, a.created, 10)
	b = append(b, `,"model":"`+escape(a.model)+`","choices":[`...)
	for i := range a.choices {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"index":`...)
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, `,"message":`...)
		b = a.message(b, said)
		b = append(b, `,"logprobs":null,"finish_reason":"`+a.finish+`"}`...)
	}
	b = append(b, `],"usage":`...)
	b = a.usage.append(b)
	return append(b, `,"service_tier":"default","system_fingerprint":"`+fingerprint+`"}`...)
}

// message appends what the assistant says, or the tool that it calls.
func (a chatAnswer) message(b []byte, said text) []byte {
	if a.tool == "" {
		b = append(b, `{"role":"assistant","content":"`...)
		return append(said.whole(b), `","refusal":null}`...)
	}
	b = append(b, `{"role":"assistant","content":null,"refusal":null,"tool_calls":[`+a.call()...)
	return append(said.whole(b), `"}}]}`...)
}

// call is the start of a tool call, up to its arguments.
func (a chatAnswer) call() string {
	return `{"id":"call_` + a.id + `","type":"function","function":{"name":"` + escape(a.tool) + `","arguments":"`
}

type usage struct{ prompt, completion int }

func (u usage) append(b []byte) []byte {
	b = append(b, `{"prompt_tokens":`...)
	b = strconv.AppendInt(b, int64(u.prompt), 10)
	b = append(b, `,"completion_tokens":`...)
	b = strconv.AppendInt(b, int64(u.completion), 10)
	b = append(b, `,"total_tokens":`...)
	b = strconv.AppendInt(b, int64(u.prompt+u.completion), 10)
	return append(b, `,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}`...)
}
