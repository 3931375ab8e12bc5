package openai_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/fakes/dialect"
	"github.com/brownout-chaos/brownout/fakes/openai"
	"github.com/brownout-chaos/brownout/faults"
)

func TestRoute(t *testing.T) {
	for _, test := range []struct {
		method, path, api string
		status            int
	}{
		{"POST", "/v1/chat/completions", openai.Chat, 0},
		{"POST", "/chat/completions", openai.Chat, 0},
		{"POST", "/run/r-000001/v1/chat/completions?api-version=1", openai.Chat, 0},
		{"GET", "/v1/chat/completions", openai.Chat, 405},
		{"GET", "/v1/models", openai.Models, 0},
		{"GET", "/models/", openai.Models, 0},
		{"GET", "/v1/models/gpt-4o", openai.Models, 0},
		{"GET", "/v1/models/vendor%2Fmodel", openai.Models, 0},
		{"DELETE", "/v1/models/gpt-4o", openai.Models, 405},
		{"POST", "/v1/completions", "", 404},
		{"POST", "/v1/chat/completions/extra", "", 404},
		{"GET", "/", "", 404},
	} {
		api, status := openai.Dialect{}.Route(httptest.NewRequest(test.method, test.path, nil))
		if api != test.api || status != test.status {
			t.Errorf("%s %s: got %q, %d, want %q, %d", test.method, test.path, api, status, test.api, test.status)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name   string
		reply  faults.Reply
		status int
		kind   string
		code   any
	}{
		{"rate limit", faults.Reply{Class: faults.ClassRateLimit}, 429, "requests", "rate_limit_exceeded"},
		{"rate limit with a code", faults.Reply{Class: faults.ClassRateLimit, Status: 429, Code: "slow_down"}, 429, "requests", "slow_down"},
		{"quota", faults.Reply{Class: faults.ClassQuota}, 429, "insufficient_quota", "credit_balance_exhausted"},
		{"overloaded", faults.Reply{Class: faults.ClassOverloaded}, 503, "service_unavailable_error", "server_is_overloaded"},
		{"unavailable", faults.Reply{Class: faults.ClassUnavailable}, 503, "server_error", nil},
		{"unavailable 504", faults.Reply{Class: faults.ClassUnavailable, Status: 504}, 504, "server_error", nil},
		{"400", faults.Reply{Class: faults.ClassStatus, Status: 400}, 400, "invalid_request_error", nil},
		{"401", faults.Reply{Class: faults.ClassStatus, Status: 401}, 401, "invalid_request_error", "invalid_api_key"},
		{"404", faults.Reply{Class: faults.ClassStatus, Status: 404}, 404, "invalid_request_error", "model_not_found"},
		{"429", faults.Reply{Class: faults.ClassStatus, Status: 429}, 429, "requests", "rate_limit_exceeded"},
		{"500", faults.Reply{Class: faults.ClassStatus, Status: 500}, 500, "server_error", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := openai.Dialect{}.Error(test.reply)
			if answer.Status != test.status || answer.ContentType != "application/json" || answer.Stream != nil {
				t.Errorf("got %+v", answer)
			}
			var body map[string]map[string]any
			if err := json.Unmarshal(answer.Body, &body); err != nil {
				t.Fatal(err)
			}
			e := body["error"]
			for _, key := range []string{"message", "type", "param", "code"} {
				if _, ok := e[key]; !ok {
					t.Errorf("%s is missing in %s", key, answer.Body)
				}
			}
			if e["type"] != test.kind || e["code"] != test.code || e["message"] == "" || e["param"] != nil {
				t.Errorf("got %s, want type %s, code %v", answer.Body, test.kind, test.code)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	h := http.Header{}
	openai.Dialect{}.Header(h, dialect.Receipt{ID: "1", Took: 1500 * time.Millisecond})
	for name, want := range map[string]string{
		"x-request-id": "req_1", "openai-processing-ms": "1500", "openai-version": "2020-10-01", "x-ratelimit-remaining-requests": "9999",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for name := range h {
		if http.CanonicalHeaderKey(name) != name {
			t.Errorf("%s is not the canonical form: Get would not find it", name)
		}
	}
	for _, kind := range []string{"requests", "tokens"} {
		if _, err := time.ParseDuration(h.Get("x-ratelimit-reset-" + kind)); err != nil {
			t.Error(err)
		}
	}
	reply := &faults.Reply{Class: faults.ClassRateLimit, RetryAfter: faults.After(90 * time.Second)}
	openai.Dialect{}.Header(h, dialect.Receipt{Reply: reply})
	if h.Get("x-ratelimit-remaining-requests") != "0" || h.Get("x-ratelimit-reset-requests") != "1m30s" {
		t.Errorf("rate limit: got %v", h)
	}
}

// read has the dialect answer a chat of 4 words in the name of "p".
func read(body string) (dialect.Request, dialect.Answer) {
	request := openai.Dialect{}.Read(openai.Chat, httptest.NewRequest("POST", "/v1/chat/completions", nil), []byte(body))
	return request, request.Answer(dialect.Origin{Provider: "p", Words: 4, ID: "1", Now: time.Unix(1, 0)})
}

func TestRefusals(t *testing.T) {
	const rest = `"model":"m","messages":[{"role":"user","content":"hi"}]`
	for name, body := range map[string]string{
		"no JSON":            `{"model"`,
		"a list":             `[]`,
		"a wrong type":       `{` + rest + `,"stream":"yes"}`,
		"no model":           `{"messages":[{"role":"user","content":"hi"}]}`,
		"no messages":        `{"model":"m"}`,
		"no choices":         `{` + rest + `,"n":0}`,
		"too many choices":   `{` + rest + `,"n":129}`,
		"no tokens":          `{` + rest + `,"max_tokens":0}`,
		"a tool not there":   `{` + rest + `,"tool_choice":{"type":"function","function":{"name":"f"}}}`,
		"no tool to require": `{` + rest + `,"tool_choice":"required"}`,
	} {
		if _, answer := read(body); answer.Status != 400 || answer.Stream != nil || !strings.Contains(string(answer.Body), "invalid_request_error") {
			t.Errorf("%s: got %d %s, want a 400", name, answer.Status, answer.Body)
		}
	}
	if request, answer := read(`{` + rest + `,"tool_choice":"none","stream":true}`); answer.Status != 200 || !request.Stream || request.Model != "m" {
		t.Errorf("a good request: got %+v, %d", request, answer.Status)
	}
}

func TestPromptTokens(t *testing.T) {
	for content, want := range map[string]int{
		`""`:                            0,
		`"one"`:                         1,
		`" two  words "`:                2,
		`"three\nwords\t\u00e9t\u00e9"`: 3,
		`"a \"quoted\" word"`:           3,
		`[{"type":"text","text":"in parts"},{"type":"image_url","image_url":{"url":"x"}},{"type":"text","text":"three"}]`: 3,
		`null`: 0,
	} {
		body := `{"model":"m","messages":[{"role":"user","content":` + content + `}]}`
		if _, answer := read(body); answer.TokensIn != want {
			t.Errorf("%s: got %d tokens, want %d", content, answer.TokensIn, want)
		}
	}
}

// TestFrames: the order of a stream's frames, their JSON, and the usage where
// it was asked for.
func TestFrames(t *testing.T) {
	for name, test := range map[string]struct {
		options string
		tail    int
	}{
		"plain":      {"", 2},
		"with usage": {`,"stream_options":{"include_usage":true}`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			_, answer := read(`{"model":"m\u0000 \"q\"","messages":[{"role":"user","content":"hi"}],"stream":true` + test.options + `}`)
			first, end := answer.Stream.Content()
			if first != 1 || end != 5 || answer.Stream.Len() != end+test.tail || answer.TokensOut != 4 {
				t.Fatalf("content from %d to %d of %d frames, %d tokens", first, end, answer.Stream.Len(), answer.TokensOut)
			}
			for i := range answer.Stream.Len() {
				checkFrame(t, string(answer.Stream.Append(nil, i)), i == answer.Stream.Len()-1, test.options != "")
			}
			if !strings.Contains(string(answer.Stream.Append(nil, 2)), `"delta":{"content":" p-2"}`) {
				t.Errorf("second token: got %s", answer.Stream.Append(nil, 2))
			}
		})
	}
}

func checkFrame(t *testing.T, frame string, last, usage bool) {
	t.Helper()
	data, ok := strings.CutPrefix(frame, "data: ")
	data, ended := strings.CutSuffix(data, "\n\n")
	if !ok || !ended {
		t.Errorf("not an event: %q", frame)
	}
	if last {
		if data != "[DONE]" {
			t.Errorf("last event: got %q", data)
		}
		return
	}
	var chunk map[string]any
	if err := json.Unmarshal([]byte(data), &chunk); err != nil {
		t.Errorf("%s: %v", data, err)
	}
	for _, key := range []string{"choices", "created", "id", "model", "object"} {
		if _, ok := chunk[key]; !ok {
			t.Errorf("%s is missing in %s", key, data)
		}
	}
	if _, ok := chunk["usage"]; ok != usage {
		t.Errorf("usage: got %t, want %t in %s", ok, usage, data)
	}
	if _, ok := chunk["error"]; ok {
		t.Errorf("a good chunk has the key error: %s", data)
	}
}

// TestStrangeNames: names that need escaping give valid JSON.
func TestStrangeNames(t *testing.T) {
	const name = `a"b\<é>`
	for _, stream := range []string{"true", "false"} {
		request := openai.Dialect{}.Read(openai.Chat, nil, []byte(`{"model":"m\"","messages":[{"content":"hi"}],"stream":`+stream+`}`))
		answer := request.Answer(dialect.Origin{Provider: name, Words: 2, ID: "1"})
		body := answer.Body
		if answer.Stream != nil {
			body = answer.Stream.Append(nil, 1)[len("data: "):]
		}
		var got struct {
			Model   string
			Choices []struct{ Message, Delta struct{ Content string } }
		}
		if err := json.Unmarshal(body, &got); err != nil || got.Model != `m"` {
			t.Fatalf("%s: %v", body, err)
		}
		said := got.Choices[0].Message.Content + got.Choices[0].Delta.Content
		if !slices.Contains([]string{name + "-1", name + "-1 " + name + "-2"}, said) {
			t.Errorf("got %q", said)
		}
	}
}
