package refservice

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// naivePause is the fixed wait of the naive loop: no backoff, no jitter.
const naivePause = 100 * time.Millisecond

// naive is the service that everybody writes first. It retries everything
// around a client that retries too, waits for ever and has no second provider.
// It forwards no header: only a marker in the question connects its calls to
// the request.
type naive struct {
	client   sdk
	attempts int
}

func newNaive(cfg Config) (answerer, error) {
	transport := newTransport(30*time.Second, http.DefaultMaxIdleConnsPerHost)
	return &naive{client: newSDK(cfg, cfg.Primary, transport), attempts: cfg.attempts(3)}, nil
}

func (n *naive) close() error {
	n.client.http.CloseIdleConnections()
	return nil
}

func (n *naive) answer(ctx context.Context, q question) (answer, error) {
	a := answer{Provider: primaryName}
	err := n.again(ctx, func() error {
		completion, err := n.client.Chat.Completions.New(ctx, params(q.text, nil))
		if err != nil {
			return err
		}
		if len(completion.Choices) == 0 {
			return errors.New("the completion has no choices")
		}
		a.Text = completion.Choices[0].Message.Content
		return nil
	})
	return a, err
}

// stream starts over until the user has part of the answer.
func (n *naive) stream(ctx context.Context, q question, out *events) (answer, error) {
	err := n.again(ctx, func() error {
		err := n.pass(ctx, q, out)
		if err != nil && out.started {
			return cutOff{err}
		}
		return err
	})
	return answer{Provider: primaryName}, err
}

// pass hands the provider's stream through. A stream that just ends is taken
// for a whole one: nobody looks for the finish reason.
func (n *naive) pass(ctx context.Context, q question, out *events) error {
	stream := n.client.Chat.Completions.NewStreaming(ctx, params(q.text, nil))
	defer func() { _ = stream.Close() }() // reading it has told all there is to tell
	for stream.Next() {
		for _, choice := range stream.Current().Choices {
			if choice.Delta.Content == "" {
				continue
			}
			if err := out.token(choice.Delta.Content); err != nil {
				return err
			}
		}
	}
	return stream.Err()
}

// cutOff is the end of an answer that has partly been sent.
type cutOff struct{ error }

// again calls until it works, all attempts are used up or the answer was cut
// off. It does not ask what the error is.
func (n *naive) again(ctx context.Context, call func() error) error {
	for attempt := 1; ; attempt++ {
		err := call()
		if err == nil || attempt == n.attempts || errors.As(err, new(cutOff)) {
			return err
		}
		if pause(ctx, naivePause) != nil {
			return err
		}
	}
}
