package refservice

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	layerPause    = 2 * time.Millisecond // between the attempts of a layer
	layerSDKDelay = 5 * time.Millisecond // longest wait of the SDK, unless configured
)

// layers is an API in front of a retriever in front of a reranker in front of
// the model, each a server of its own. Each of the three is reasonable: it
// makes a few attempts at the next one. Together they multiply. The request id
// is forwarded over all hops, the trace is not.
type layers struct {
	client    sdk
	hops      *http.Client // between the layers
	attempts  int
	retriever *host
	reranker  *host
}

// A hop is what one layer asks the next.
type hop struct {
	Question  string     `json:"question"`
	Documents []document `json:"documents,omitempty"`
}

func newLayers(cfg Config) (answerer, error) {
	cfg.SDKMaxRetryDelay = cmp.Or(cfg.SDKMaxRetryDelay, layerSDKDelay)
	if cfg.SDKRetries == nil {
		cfg.SDKRetries = new(0)
	}
	l := &layers{
		client:   newSDK(cfg, cfg.Primary, newTransport(time.Second, 64)),
		hops:     &http.Client{Transport: newTransport(time.Second, 64)},
		attempts: cfg.attempts(3),
	}
	var err error
	if l.reranker, err = serve(anyPort, layer(l.rerank)); err != nil {
		return nil, fmt.Errorf("reranker: %w", err)
	}
	if l.retriever, err = serve(anyPort, layer(l.retrieve)); err != nil {
		return nil, errors.Join(fmt.Errorf("retriever: %w", err), l.reranker.close())
	}
	return l, nil
}

func (l *layers) close() error {
	err := errors.Join(l.retriever.close(), l.reranker.close())
	l.hops.CloseIdleConnections()
	l.client.http.CloseIdleConnections()
	return err
}

// answer is the first layer: the API asks the retriever.
func (l *layers) answer(ctx context.Context, q question) (answer, error) {
	text, err := l.again(ctx, func() (string, error) {
		return l.ask(ctx, l.retriever.url, q.requestID, hop{Question: q.text})
	})
	return answer{Text: text, Provider: primaryName}, err
}

// retrieve is the second layer: the retriever finds documents and asks the
// reranker.
func (l *layers) retrieve(ctx context.Context, requestID string, h hop) (string, error) {
	h.Documents = find(h.Question)
	return l.again(ctx, func() (string, error) { return l.ask(ctx, l.reranker.url, requestID, h) })
}

// rerank is the third layer: the reranker keeps the best documents and asks
// the model.
func (l *layers) rerank(ctx context.Context, requestID string, h hop) (string, error) {
	body := params(h.Question, h.Documents[:min(2, len(h.Documents))])
	options := forward(map[string]string{headerID: requestID})
	return l.again(ctx, func() (string, error) {
		completion, err := l.client.Chat.Completions.New(ctx, body, options...)
		if err != nil {
			return "", err
		}
		if len(completion.Choices) == 0 {
			return "", errors.New("the completion has no choices")
		}
		return completion.Choices[0].Message.Content, nil
	})
}

// stream sends the whole answer word by word: the layers between do not
// stream.
func (l *layers) stream(ctx context.Context, q question, out *events) (answer, error) {
	a, err := l.answer(ctx, q)
	if err != nil {
		return a, err
	}
	for word := range strings.SplitAfterSeq(a.Text, " ") {
		if err := out.token(word); err != nil {
			return a, err
		}
	}
	return a, nil
}

func (l *layers) again(ctx context.Context, call func() (string, error)) (string, error) {
	for attempt := 1; ; attempt++ {
		text, err := call()
		if err == nil || attempt == l.attempts {
			return text, err
		}
		if pause(ctx, layerPause) != nil {
			return "", err
		}
	}
}

// ask is one call from a layer to the next.
func (l *layers) ask(ctx context.Context, url, requestID string, h hop) (string, error) {
	data, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", contentJSON)
	if requestID != "" {
		r.Header.Set(headerID, requestID)
	}
	response, err := l.hops.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var reply struct{ Answer, Error string }
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return "", fmt.Errorf("%s: %w", url, err)
	}
	if response.StatusCode != http.StatusOK {
		return "", errors.New(reply.Error)
	}
	return reply.Answer, nil
}

// layer serves one layer.
func layer(work func(ctx context.Context, requestID string, h hop) (string, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			refuse(w, http.StatusBadRequest, err)
			return
		}
		var h hop
		if err := json.Unmarshal(data, &h); err != nil {
			refuse(w, http.StatusBadRequest, err)
			return
		}
		text, err := work(r.Context(), r.Header.Get(headerID), h)
		if err != nil {
			refuse(w, http.StatusBadGateway, err)
			return
		}
		writeJSON(w, http.StatusOK, map[string]string{"answer": text})
	})
}
