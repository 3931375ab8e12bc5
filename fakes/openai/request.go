package openai

import (
	"encoding/json"
	"net/http"

	"github.com/brownout-chaos/brownout/fakes/dialect"
)

// maxChoices is OpenAI's own limit on n.
const maxChoices = 128

// chatRequest holds the fields of a chat request that change the answer.
type chatRequest struct {
	Model               string          `json:"model"`
	Messages            []message       `json:"messages"`
	Stream              bool            `json:"stream"`
	StreamOptions       streamOptions   `json:"stream_options"`
	N                   *int            `json:"n"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	Tools               []tool          `json:"tools"`
	ToolChoice          toolChoice      `json:"tool_choice"`
	ResponseFormat      *responseFormat `json:"response_format"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Content words `json:"content"`
}

type tool struct {
	Function struct {
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type responseFormat struct {
	Type       string `json:"type"`
	JSONSchema struct {
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// toolChoice is "none", "auto", "required", or the name of a function.
type toolChoice struct{ mode, name string }

func (c *toolChoice) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &c.mode)
	}
	var named struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	err := json.Unmarshal(data, &named)
	c.name = named.Function.Name
	return err
}

// readChat reads the body of a chat call; one that OpenAI would refuse gets
// the refusal for its answer.
func readChat(body []byte) dialect.Request {
	q := &chatRequest{}
	if err := json.Unmarshal(body, q); err != nil {
		return refused(q, refuse("", "We could not parse the JSON body of your request: %v", err))
	}
	switch {
	case q.Model == "":
		return refused(q, refuse("model", "you must provide a model parameter"))
	case len(q.Messages) == 0:
		return refused(q, refuse("messages", "Invalid 'messages': empty array. Expected an array with minimum length 1."))
	case q.choices() < 1 || q.choices() > maxChoices:
		return refused(q, refuse("n", "Invalid 'n': %d. Expected a value from 1 to %d.", q.choices(), maxChoices))
	case q.limit() != nil && *q.limit() < 1:
		return refused(q, refuse("max_completion_tokens", "Invalid limit of tokens: %d. Expected a value of at least 1.", *q.limit()))
	case q.forced() != nil && q.forced().Function.Name == "":
		return refused(q, refuse("tool_choice", "Invalid 'tool_choice': no such function in 'tools'."))
	}
	return dialect.Request{Model: q.Model, Stream: q.Stream, Answer: q.answer}
}

func refused(q *chatRequest, a dialect.Answer) dialect.Request {
	return dialect.Request{Model: q.Model, Stream: q.Stream, Answer: func(dialect.Origin) dialect.Answer { return a }}
}

func (q *chatRequest) choices() int {
	if q.N == nil {
		return 1
	}
	return *q.N
}

func (q *chatRequest) limit() *int {
	if q.MaxCompletionTokens != nil {
		return q.MaxCompletionTokens
	}
	return q.MaxTokens
}

// forced is the tool that must be called; nil: none. A tool that is not there
// has no name.
func (q *chatRequest) forced() *tool {
	if q.ToolChoice.mode != "required" && q.ToolChoice.name == "" {
		return nil
	}
	for i := range q.Tools {
		if q.ToolChoice.name == "" || q.Tools[i].Function.Name == q.ToolChoice.name {
			return &q.Tools[i]
		}
	}
	return &tool{}
}

func (q *chatRequest) promptTokens() int {
	n := 0
	for _, m := range q.Messages {
		n += int(m.Content)
	}
	return n
}

// answer is the healthy answer.
func (q *chatRequest) answer(o dialect.Origin) dialect.Answer {
	a := newChatAnswer(q, o)
	out := dialect.Answer{Status: http.StatusOK, TokensIn: a.usage.prompt, TokensOut: a.usage.completion}
	if q.Stream {
		out.ContentType, out.Stream = "text/event-stream; charset=utf-8", newStream(a, q.StreamOptions.IncludeUsage)
	} else {
		out.ContentType, out.Body = contentJSON, a.body()
	}
	return out
}
