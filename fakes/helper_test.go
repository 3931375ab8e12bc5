package fakes_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"go.uber.org/goleak"

	"github.com/brownout-chaos/brownout/fakes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start gives a provider of three words and the calls as they end.
func start(t *testing.T, options ...fakes.Option) (*fakes.Provider, <-chan fakes.Call) {
	t.Helper()
	ended := make(chan fakes.Call, 1000)
	options = append([]fakes.Option{
		fakes.Name("primary"), fakes.Tokens(6),
		fakes.Observe(func(c fakes.Call) { ended <- c }),
	}, options...)
	p, err := fakes.Start(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, ended
}

// next waits for the next call that ends.
func next(t *testing.T, ended <-chan fakes.Call) fakes.Call {
	t.Helper()
	select {
	case c := <-ended:
		return c
	case <-time.After(10 * time.Second):
		t.Fatal("no call ended within 10s")
		return fakes.Call{}
	}
}

// until waits for something that the provider does by itself.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.Now().Add(10 * time.Second)
	for !happened() {
		if time.Now().After(deadline) {
			t.Errorf("waited 10s for %s", what)
			return
		}
		<-tick.C
	}
}

// httpClient has connections of its own; protocols nil: HTTP/1.1.
func httpClient(t testing.TB, protocols *http.Protocols) *http.Client {
	transport := &http.Transport{Protocols: protocols, MaxIdleConnsPerHost: 100}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func h2c() *http.Protocols {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return p
}

// sdk is OpenAI's own client with its default of three attempts, and waits
// between them of 5 ms at most.
func sdk(t testing.TB, p *fakes.Provider, options ...option.RequestOption) *openai.Client {
	options = append([]option.RequestOption{
		option.WithBaseURL(p.OpenAI()), option.WithAPIKey("sk-0123456789abcdef"),
		option.WithMaxRetryDelay(5 * time.Millisecond), option.WithHTTPClient(httpClient(t, nil)),
	}, options...)
	client := openai.NewClient(options...)
	return &client
}

func ask(words string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    "gpt-4o",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(words)},
	}
}

// outcome is what a caller saw of a call.
type outcome struct {
	text   string
	finish string
	err    string // as told by kindOf
}

func complete(ctx context.Context, client *openai.Client, params openai.ChatCompletionNewParams, options ...option.RequestOption) outcome {
	answer, err := client.Chat.Completions.New(ctx, params, options...)
	if err != nil || len(answer.Choices) == 0 {
		return outcome{err: kindOf(err)}
	}
	return outcome{text: answer.Choices[0].Message.Content, finish: answer.Choices[0].FinishReason}
}

// stream reads a streamed answer; each is called with the text so far.
func stream(ctx context.Context, client *openai.Client, params openai.ChatCompletionNewParams, each func(text string)) outcome {
	events := client.Chat.Completions.NewStreaming(ctx, params)
	defer events.Close()
	o := outcome{}
	for events.Next() {
		for _, choice := range events.Current().Choices {
			o.text += choice.Delta.Content
			o.finish += choice.FinishReason
		}
		each(o.text)
	}
	o.err = kindOf(events.Err())
	return o
}

// kindOf names the errors that callers tell apart.
func kindOf(err error) string {
	var status *openai.Error
	var event *ssestream.StreamError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.As(err, &status):
		return http.StatusText(status.StatusCode)
	case errors.As(err, &event):
		return "error event"
	case errors.As(err, &syntax):
		return "syntax"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "eof"
	}
	return "other: " + err.Error()
}
