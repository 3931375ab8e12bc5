package refservice

import (
	"context"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3/option"
)

// call reads one stream into out. It fails when the first token or a later
// chunk takes too long, and on a stream that ends without a finish reason,
// however clean the end.
func (g *rung) call(ctx context.Context, q question, out sink) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := func(d time.Duration, cause error) *time.Timer {
		return time.AfterFunc(d, func() { cancel(cause) })
	}
	timer := limit(g.firstToken, errFirstToken)
	defer func() { timer.Stop() }()

	var response *http.Response
	options := append(forward(map[string]string{headerID: q.requestID, headerTrace: q.traceparent}),
		option.WithResponseInto(&response))
	stream := g.client.Chat.Completions.NewStreaming(ctx, params(q.text, nil), options...)
	defer func() { _ = stream.Close() }() // reading it has told all there is to tell
	begun, finished := false, false
	for stream.Next() {
		text := ""
		for _, choice := range stream.Current().Choices {
			text += choice.Delta.Content
			finished = finished || choice.FinishReason != ""
		}
		if text == "" && !begun {
			continue // a role or an empty chunk is no token
		}
		begun = true
		timer.Stop() // no clock runs while the user is slow to read
		if text != "" {
			if err := out.token(text); err != nil {
				return userLeft(err)
			}
		}
		timer = limit(g.idle, errIdle)
	}
	if finished {
		return nil
	}
	f := whatFailed(ctx, stream.Err(), response)
	if f.connection {
		// Connections from before the trouble may share its fate.
		g.client.http.CloseIdleConnections()
	}
	return f
}
