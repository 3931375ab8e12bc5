package fakes_test

import (
	"encoding/json"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/brownout-chaos/brownout/fakes"
)

const sixWords = "primary-1 primary-2 primary-3 primary-4 primary-5 primary-6"

func TestChatJSON(t *testing.T) {
	p, ended := start(t)
	answer, err := sdk(t, p).Chat.Completions.New(t.Context(), ask("how do I reset it?"))
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.Choices[0].Message.Content; got != sixWords {
		t.Errorf("content: got %q, want %q", got, sixWords)
	}
	if u := answer.Usage; u.PromptTokens != 5 || u.CompletionTokens != 6 || u.TotalTokens != 11 {
		t.Errorf("usage: got %d + %d = %d, want 5 + 6 = 11", u.PromptTokens, u.CompletionTokens, u.TotalTokens)
	}
	c := next(t, ended)
	if c.API != "chat" || c.Model != "gpt-4o" || c.Stream || c.Status != 200 || c.TokensIn != 5 || c.TokensOut != 6 || c.Fault != "" {
		t.Errorf("ledger: got %+v", c)
	}
	if c.SDKRetry == nil || *c.SDKRetry != 0 {
		t.Errorf("retry count of the SDK: got %v, want 0", c.SDKRetry)
	}
	if c.Planned.Bytes != c.Achieved.Bytes || c.Planned.End != fakes.EndClean || c.Achieved.End != fakes.EndClean {
		t.Errorf("planned %+v, achieved %+v", c.Planned, c.Achieved)
	}
}

func TestChatStream(t *testing.T) {
	p, ended := start(t)
	params := ask("how do I reset it?")
	params.StreamOptions.IncludeUsage = openai.Bool(true)
	params.N = openai.Int(2)
	events := sdk(t, p).Chat.Completions.NewStreaming(t.Context(), params)
	whole := openai.ChatCompletionAccumulator{}
	for events.Next() {
		if !whole.AddChunk(events.Current()) {
			t.Fatalf("the SDK cannot add the chunk %s", events.Current().RawJSON())
		}
	}
	if err := events.Err(); err != nil {
		t.Fatal(err)
	}
	for i, choice := range whole.Choices {
		if choice.Message.Content != sixWords || choice.FinishReason != "stop" {
			t.Errorf("choice %d: got %q, finish %q", i, choice.Message.Content, choice.FinishReason)
		}
	}
	if u := whole.Usage; len(whole.Choices) != 2 || u.PromptTokens != 5 || u.CompletionTokens != 12 || u.TotalTokens != 17 {
		t.Errorf("got %d choices, usage %d + %d = %d", len(whole.Choices), u.PromptTokens, u.CompletionTokens, u.TotalTokens)
	}
	if c := next(t, ended); !c.Stream || c.Chunks != 12 || c.TokensOut != 12 || c.Planned.Bytes != c.Achieved.Bytes {
		t.Errorf("ledger: got %+v", c)
	}
}

func TestChatLimits(t *testing.T) {
	p, _ := start(t)
	client := sdk(t, p)
	params := ask("hi")
	params.MaxCompletionTokens = openai.Int(2)
	want := outcome{text: "primary-1 primary-2", finish: "length"}
	if got := complete(t.Context(), client, params); got != want {
		t.Errorf("max_completion_tokens: got %+v, want %+v", got, want)
	}
	params = ask("hi")
	params.MaxTokens = openai.Int(100)
	want = outcome{text: sixWords, finish: "stop"}
	if got := stream(t.Context(), client, params, func(string) {}); got != want {
		t.Errorf("max_tokens: got %+v, want %+v", got, want)
	}
}

// weather is a function whose arguments have every type.
func weather() openai.ChatCompletionToolUnionParam {
	return openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
		Name: "weather",
		Parameters: shared.FunctionParameters{
			"type":     "object",
			"required": []string{"city", "unit", "days", "hourly"},
			"properties": map[string]any{
				"city":   map[string]any{"type": "string", "minLength": 2},
				"unit":   map[string]any{"enum": []string{"celsius", "kelvin"}},
				"days":   map[string]any{"type": "integer", "minimum": 1},
				"hourly": map[string]any{"type": "boolean"},
				"note":   map[string]any{"type": "string"},
			},
		},
	})
}

func TestToolCalls(t *testing.T) {
	p, _ := start(t)
	client := sdk(t, p)
	params := ask("weather?")
	params.Tools = []openai.ChatCompletionToolUnionParam{weather()}
	if got := complete(t.Context(), client, params); got.text != sixWords {
		t.Errorf("tools that may be called: got %+v, want words", got)
	}
	params.ToolChoice = openai.ToolChoiceOptionFunctionToolChoice(openai.ChatCompletionNamedToolChoiceFunctionParam{Name: "weather"})
	const want = `{"city":"xx","unit":"celsius","days":1,"hourly":false}`

	answer, err := client.Chat.Completions.New(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	calls := answer.Choices[0].Message.ToolCalls
	if len(calls) != 1 || calls[0].Function.Name != "weather" || calls[0].Function.Arguments != want || answer.Choices[0].FinishReason != "tool_calls" {
		t.Errorf("got %s, finish %s", answer.Choices[0].Message.RawJSON(), answer.Choices[0].FinishReason)
	}

	events := client.Chat.Completions.NewStreaming(t.Context(), params)
	whole := openai.ChatCompletionAccumulator{}
	for events.Next() {
		whole.AddChunk(events.Current())
	}
	if err := events.Err(); err != nil {
		t.Fatal(err)
	}
	calls = whole.Choices[0].Message.ToolCalls
	if len(calls) != 1 || calls[0].Function.Name != "weather" || calls[0].Function.Arguments != want {
		t.Errorf("stream: got %+v", calls)
	}
}

func TestStructuredOutput(t *testing.T) {
	p, _ := start(t)
	params := ask("list them")
	params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
		Name: "list",
		Schema: map[string]any{
			"type": "object", "required": []string{"items"},
			"properties": map[string]any{"items": map[string]any{"type": "array", "minItems": 2, "items": map[string]any{"type": "number"}}},
		},
	}}
	got := stream(t.Context(), sdk(t, p), params, func(string) {})
	var list struct{ Items []float64 }
	if err := json.Unmarshal([]byte(got.text), &list); err != nil || len(list.Items) != 2 {
		t.Errorf("got %+v: %v, want a JSON object with two numbers", got, err)
	}
}

func TestModels(t *testing.T) {
	p, _ := start(t)
	client := sdk(t, p)
	page, err := client.Models.List(t.Context())
	if err != nil || len(page.Data) == 0 {
		t.Fatalf("list: got %v, %v", page, err)
	}
	model, err := client.Models.Get(t.Context(), "vendor/model-1")
	if err != nil || model.ID != "vendor/model-1" {
		t.Errorf("get: got %v, %v", model, err)
	}
}

func TestH2C(t *testing.T) {
	p, ended := start(t)
	client := sdk(t, p, option.WithHTTPClient(httpClient(t, h2c())))
	want := outcome{text: sixWords, finish: "stop"}
	if got := complete(t.Context(), client, ask("hi")); got != want {
		t.Errorf("JSON: got %+v, want %+v", got, want)
	}
	if got := stream(t.Context(), client, ask("hi"), func(string) {}); got != want {
		t.Errorf("stream: got %+v, want %+v", got, want)
	}
	for range 2 {
		if c := next(t, ended); c.Proto != "HTTP/2.0" || c.Conn != 1 || c.Achieved.End != fakes.EndClean {
			t.Errorf("ledger: got %+v", c)
		}
	}
}
