package load

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// A step is what one read of a stream returns, and when.
type step struct {
	at   time.Duration
	text string
	err  error
}

// A script plays steps on a clock of its own.
type script struct {
	steps []step
	clock time.Duration
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.steps) == 0 {
		return 0, io.EOF
	}
	next := s.steps[0]
	s.steps, s.clock = s.steps[1:], next.at
	return copy(p, next.text), next.err
}

func (s *script) now() hypotheses.Seconds { return hypotheses.Seconds(s.clock) }

// play reads the steps as the stream.
func play(t *testing.T, described hypotheses.Stream, steps []step) (hypotheses.Request, *stream, error) {
	t.Helper()
	m, err := newMapping(described)
	if err != nil {
		t.Fatal(err)
	}
	source := &script{steps: steps}
	r := hypotheses.Request{}
	s := &stream{request: &r, mapping: m, decoder: m.decoder(), text: &kept{}, now: source.now}
	err = s.read(source, make([]byte, readSize))
	return r, s, err
}

func openAI(content string) string {
	return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", content)
}

const (
	openAIRole  = `data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}` + "\n\n"
	openAIUsage = `data: {"choices":[],"usage":{"total_tokens":9}}` + "\n\n"
	openAIDone  = "data: [DONE]\n\n"
)

func anthropic(kind, rest string) string {
	return fmt.Sprintf("event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, rest)
}

// The times of a stream are those of its reads: comments, pings and events
// without text are no tokens, and the last gap runs to the end.
func TestStreamTimes(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name   string
		stream hypotheses.Stream
		steps  []step
		event  time.Duration
		token  time.Duration
		gap    time.Duration
		end    time.Duration
		text   string
	}{
		{
			name:   "openai",
			stream: hypotheses.Stream{Preset: "openai"},
			steps: []step{
				{at: 10 * ms, text: openAIRole}, {at: 30 * ms, text: openAI("one")}, {at: 40 * ms, text: openAI(" two")},
				{at: 90 * ms, text: openAI(" three")}, {at: 95 * ms, text: openAIUsage}, {at: 100 * ms, text: openAIDone},
			},
			event: 10 * ms, token: 30 * ms, gap: 50 * ms, end: 100 * ms, text: "one two three",
		},
		{
			name:   "comments and pings are no tokens",
			stream: hypotheses.Stream{Preset: "anthropic"},
			steps: []step{
				{at: 5 * ms, text: ": hello\n\n"}, {at: 10 * ms, text: anthropic("message_start", "")}, {at: 15 * ms, text: anthropic("ping", "")},
				{at: 20 * ms, text: anthropic("content_block_delta", `,"delta":{"type":"text_delta","text":"a"}`)},
				{at: 120 * ms, text: anthropic("ping", "")}, {at: 200 * ms, text: ": alive\n\n"},
				{at: 320 * ms, text: anthropic("content_block_delta", `,"delta":{"type":"text_delta","text":"b"}`)},
				{at: 330 * ms, text: anthropic("message_stop", "")},
			},
			event: 10 * ms, token: 20 * ms, gap: 300 * ms, end: 330 * ms, text: "ab",
		},
		{
			name:   "the last gap runs to the end",
			stream: hypotheses.Stream{Preset: "openai"},
			steps:  []step{{at: 10 * ms, text: openAI("a")}, {at: 20 * ms, text: openAI("b")}, {at: 500 * ms, text: openAIDone}},
			event:  10 * ms, token: 10 * ms, gap: 480 * ms, end: 500 * ms, text: "ab",
		},
		{
			name:   "what comes after the end does not count",
			stream: hypotheses.Stream{Preset: "openai"},
			steps:  []step{{at: 10 * ms, text: openAI("a") + openAIDone + openAI("b")}, {at: 900 * ms, text: openAI("c")}},
			event:  10 * ms, token: 10 * ms, gap: 0, end: 10 * ms, text: "a",
		},
		{
			name:   "an event counts when its last byte is in",
			stream: hypotheses.Stream{Preset: "sse"},
			steps:  []step{{at: 10 * ms, text: "data: a"}, {at: 20 * ms, text: "\n"}, {at: 30 * ms, text: "\n"}, {at: 40 * ms, err: io.EOF}},
			event:  30 * ms, token: 30 * ms, gap: 10 * ms, end: 40 * ms, text: "a",
		},
		{
			name:   "own expressions",
			stream: hypotheses.Stream{Format: "sse", Token: `event == "token"`, Text: "data.t", End: `event == "done"`},
			steps: []step{
				{at: 10 * ms, text: "event: status\ndata: {\"t\":\"thinking\"}\n\n"}, {at: 20 * ms, text: "event: token\ndata: {\"t\":\"a\"}\n\n"},
				{at: 30 * ms, text: "event: token\ndata: {\"t\":\"\"}\n\n"}, {at: 70 * ms, text: "event: done\ndata: {}\n\n"},
			},
			event: 10 * ms, token: 20 * ms, gap: 40 * ms, end: 70 * ms, text: "a",
		},
		{
			name:   "ndjson",
			stream: hypotheses.Stream{Format: "ndjson", Text: "data.response", End: "data.done == true"},
			steps:  []step{{at: 10 * ms, text: "{\"response\":\"a\"}\n"}, {at: 30 * ms, text: "{\"response\":\"b\"}\n"}, {at: 35 * ms, text: "{\"done\":true}", err: io.EOF}},
			event:  10 * ms, token: 10 * ms, gap: 20 * ms, end: 35 * ms, text: "ab",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, s, err := play(t, c.stream, c.steps)
			if err != nil || r.Outcome != "" || r.ExprError != "" {
				t.Fatalf("got %+v, error %v", r, err)
			}
			got := []time.Duration{r.FirstEvent.Duration(), r.FirstContent.Duration(), r.MaxGap.Duration(), r.End.Duration()}
			want := []time.Duration{c.event, c.token, c.gap, c.end}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("first event, first token, longest gap, end: got %v, want %v", got, want)
			}
			if string(s.text.bytes) != c.text {
				t.Errorf("text is %q, want %q", s.text.bytes, c.text)
			}
		})
	}
}

func TestStreamEndings(t *testing.T) {
	sse, ndjson := hypotheses.Stream{Preset: "sse"}, hypotheses.Stream{Preset: "ndjson"}
	openai, claude := hypotheses.Stream{Preset: "openai"}, hypotheses.Stream{Preset: "anthropic"}
	for _, c := range []struct {
		name   string
		stream hypotheses.Stream
		text   string
		want   hypotheses.RequestError // "": complete
		detail string                  // part of it
	}{
		{"terminal event", openai, openAI("a") + openAIDone, "", ""},
		{"terminal event without its empty line", openai, openAI("a") + "data: [DONE]\n", hypotheses.ErrTruncated, "within an event"},
		{"clean end without the terminal", openai, openAI("a") + openAI("b"), hypotheses.ErrTruncated, "without its end after 2 events"},
		{"clean end, none known", sse, "data: a\n\n", "", ""},
		{"bytes left, none known", sse, "data: a\n\ndata: b", hypotheses.ErrTruncated, "within an event"},
		{"bytes left", openai, openAI("a") + `data: {"choi`, hypotheses.ErrTruncated, "within an event"},
		{"nothing", sse, "", hypotheses.ErrTruncated, "without an event"},
		{"comments only", openai, ": alive\n\n: alive\n\n", hypotheses.ErrTruncated, "without an event"},
		{"html page with status 200", openai, "<html><h1>oops</h1></html>\n", hypotheses.ErrMalformed, "no event in 27 bytes"},
		{"json instead of a stream", openai, `{"choices": []}`, hypotheses.ErrMalformed, "no event in 15 bytes"},
		{"malformed event", openai, openAI("a") + "data: {\"choices\":[{\n\n" + openAI("b") + openAIDone, hypotheses.ErrMalformed, "event 2 is not JSON"},
		{"text where JSON is not expected", sse, "data: {\"a\n\n", "", ""},
		{"error event of openai", openai, openAI("a") + "data: {\"error\":{\"message\":\"overloaded\"}}\n\n" + openAIDone, hypotheses.ErrEvent, "overloaded"},
		{"error event of anthropic", claude, anthropic("message_start", "") + anthropic("error", `,"error":{"type":"overloaded_error"}`), hypotheses.ErrEvent, "overloaded_error"},
		{"error event by name", sse, "data: a\n\nevent: error\ndata: oops\n\n", hypotheses.ErrEvent, "oops"},
		{"own error expression instead of the name", hypotheses.Stream{Format: "sse", Error: "data.bad == true"}, "event: error\ndata: {}\n\n", "", ""},
		{"own error expression", hypotheses.Stream{Format: "sse", Error: "data.bad == true"}, "data: {\"bad\": true}\n\n", hypotheses.ErrEvent, "bad"},
		{"anthropic", claude, anthropic("content_block_delta", `,"delta":{"text":"a"}`) + anthropic("message_stop", ""), "", ""},
		{"anthropic cut", claude, anthropic("content_block_delta", `,"delta":{"text":"a"}`), hypotheses.ErrTruncated, "without its end"},
		{"ndjson", ndjson, "{\"a\":1}\n{\"a\":2}", "", ""},
		{"ndjson cut", ndjson, "{\"a\":1}\n{\"a\":", hypotheses.ErrTruncated, "within an event"},
		{"ndjson malformed", ndjson, "{\"a\":1}\n{\"a\n", hypotheses.ErrMalformed, "event 2 is not JSON"},
		{"line over the cap", sse, "data: " + strings.Repeat("x", maxLine), hypotheses.ErrMalformed, "longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := []step{}
			for rest := c.text; rest != ""; {
				n := min(len(rest), readSize)
				steps = append(steps, step{at: time.Second, text: rest[:n]})
				rest = rest[n:]
			}
			r, _, err := play(t, c.stream, append(steps, step{at: 2 * time.Second, err: io.EOF}))
			if err != nil || r.Error != c.want || !strings.Contains(r.Detail, c.detail) || r.ExprError != "" {
				t.Errorf("got %q %q %q, error %v; want %q %q", r.Error, r.Detail, r.ExprError, err, c.want, c.detail)
			}
			if failed := r.Outcome == hypotheses.Failed; failed != (c.want != "") || r.End == 0 {
				t.Errorf("outcome %q, end %v", r.Outcome, r.End)
			}
		})
	}
}

// A stream is silent when the user gives up in a wait that is longer than any
// before; a slow stream that still speaks is not.
func TestStreamSilence(t *testing.T) {
	broken := errors.New("gone")
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		steps []step
		quiet bool
		gap   time.Duration
	}{
		{"stalled", []step{{at: 10 * ms, text: openAI("a")}, {at: 20 * ms, text: openAI("b")}, {at: 900 * ms, err: broken}}, true, 880 * ms},
		{"before the first token", []step{{at: 10 * ms, text: openAIRole}, {at: 900 * ms, err: broken}}, true, 0},
		{"pings do not speak", []step{{at: 10 * ms, text: openAI("a")}, {at: 800 * ms, text: ": alive\n\n"}, {at: 900 * ms, err: broken}}, true, 890 * ms},
		{"slow", []step{{at: 10 * ms, text: openAI("a")}, {at: 400 * ms, text: openAI("b")}, {at: 800 * ms, text: openAI("c")}, {at: 900 * ms, err: broken}}, false, 400 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, s, err := play(t, hypotheses.Stream{Preset: "openai"}, c.steps)
			if err != broken || s.quiet != c.quiet || r.MaxGap.Duration() != c.gap {
				t.Errorf("quiet %v, longest gap %v, error %v; want %v, %v", s.quiet, r.MaxGap.Duration(), err, c.quiet, c.gap)
			}
		})
	}
}

func TestStreamExpressions(t *testing.T) {
	for _, c := range []struct {
		name, key string
		stream    hypotheses.Stream
	}{
		{"token", "stream.token", hypotheses.Stream{Format: "sse", Token: "event =="}},
		{"text", "stream.text", hypotheses.Stream{Format: "sse", Text: "("}},
		{"unknown name", "stream.end", hypotheses.Stream{Format: "sse", End: `kind == "done"`}},
		{"preset", "stream is", hypotheses.Stream{Preset: "gemini"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := newMapping(c.stream); err == nil || !strings.Contains(err.Error(), c.key) {
				t.Errorf("got error %v, want one about %s", err, c.key)
			}
		})
	}
	r, _, _ := play(t, hypotheses.Stream{Format: "sse", Text: "data.n > 1 ? data.t : nil"}, []step{{at: 1, text: "data: {}\n\n"}})
	if r.ExprError == "" || r.Outcome != "" {
		t.Errorf("an expression that cannot be evaluated: got %+v", r)
	}
}

func BenchmarkStreamReader(b *testing.B) {
	const events = 1000
	for _, c := range []struct {
		name   string
		preset string
		event  string
	}{
		{"openai", "openai", openAI("numbered-word")},
		{"sse", "sse", "data: numbered-word\n\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			m, err := newMapping(hypotheses.Stream{Preset: c.preset})
			if err != nil {
				b.Fatal(err)
			}
			text := strings.Repeat(c.event, events)
			buffer := make([]byte, readSize)
			start := time.Now()
			b.ReportAllocs()
			for b.Loop() {
				r := hypotheses.Request{}
				s := stream{request: &r, mapping: m, decoder: m.decoder(), now: func() hypotheses.Seconds { return hypotheses.Seconds(time.Since(start)) }}
				if err := s.read(strings.NewReader(text), buffer); err != nil || r.Events != events {
					b.Fatal(r, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, "ns/event")
		})
	}
}
