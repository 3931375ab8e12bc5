package refservice

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

const model = "gpt-4o-mini"

// sdk is the official client for one provider, with its own connections so
// that they can be closed.
type sdk struct {
	openai.Client
	http *http.Client
}

// newSDK builds a client that leaves the SDK as it comes, except for what the
// config says.
func newSDK(cfg Config, baseURL string, transport *http.Transport) sdk {
	client := &http.Client{Transport: transport}
	options := []option.RequestOption{
		option.WithHTTPClient(client),
		option.WithBaseURL(baseURL),
		option.WithAPIKey(cfg.APIKey),
	}
	if cfg.SDKRetries != nil {
		options = append(options, option.WithMaxRetries(*cfg.SDKRetries))
	}
	if cfg.SDKMaxRetryDelay > 0 {
		options = append(options, option.WithMaxRetryDelay(cfg.SDKMaxRetryDelay))
	}
	return sdk{Client: openai.NewClient(options...), http: client}
}

// newTransport is a pool of connections of which none is waited for longer
// than dial.
func newTransport(dial time.Duration, idle int) *http.Transport {
	return &http.Transport{
		DialContext:         (&net.Dialer{Timeout: dial}).DialContext,
		MaxIdleConnsPerHost: idle,
		IdleConnTimeout:     30 * time.Second,
	}
}

// params is the request for an answer. The question stands in it word for
// word.
func params(text string, documents []document) openai.ChatCompletionNewParams {
	instructions := "Answer the customer's question in a few sentences."
	for _, d := range documents {
		instructions += "\n" + d.Title + ": " + d.Text
	}
	return openai.ChatCompletionNewParams{
		Model: model,
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(instructions),
			openai.UserMessage(text),
		},
	}
}

// forward copies headers of the user's request to the provider's.
func forward(headers map[string]string) []option.RequestOption {
	options := []option.RequestOption{}
	for name, value := range headers {
		if value != "" {
			options = append(options, option.WithHeader(name, value))
		}
	}
	return options
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
