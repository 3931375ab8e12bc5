package refservice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// resilient gives every answer a deadline and a ladder of two rungs: the
// primary provider, asked twice at most, then the fallback, asked once. It is
// the only one that retries: the SDK's own retries are off. traceparent and
// X-Request-ID are forwarded.
//
// Both endpoints stream from the provider, so that the timeouts for the first
// token and between chunks guard both.
type resilient struct {
	ladder   []*rung
	deadline time.Duration
}

const (
	dialTimeout = 500 * time.Millisecond
	bulkheadCap = 64 // concurrent calls per provider
)

func newResilient(cfg Config) (answerer, error) {
	if cfg.SDKRetries == nil {
		cfg.SDKRetries = new(0)
	}
	r := &resilient{deadline: cmp.Or(cfg.Deadline, 2500*time.Millisecond)}
	r.ladder = append(r.ladder, newRung(cfg, primaryName, cfg.Primary, cfg.attempts(2)))
	if cfg.Fallback != "" {
		r.ladder = append(r.ladder, newRung(cfg, fallbackName, cfg.Fallback, 1))
	}
	return r, nil
}

func (r *resilient) close() error {
	for _, rung := range r.ladder {
		rung.client.http.CloseIdleConnections()
	}
	return nil
}

// answer collects a stream. Nothing has been sent before its end, so each
// rung may start it over.
func (r *resilient) answer(ctx context.Context, q question) (answer, error) {
	text := new(whole)
	a, err := r.climb(ctx, q, text)
	a.Text = text.String()
	return a, err
}

// stream sends tokens as they come. Once the user has some, the only way to
// start over is to say so.
func (r *resilient) stream(ctx context.Context, q question, out *events) (answer, error) {
	// A user who does not read must not hold the answer beyond its deadline.
	if err := out.control.SetWriteDeadline(time.Now().Add(r.deadline)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return answer{}, err
	}
	return r.climb(ctx, q, &live{out: out})
}

// climb asks rung after rung until one answers.
func (r *resilient) climb(ctx context.Context, q question, out sink) (answer, error) {
	end := time.Now().Add(r.deadline)
	failed := errUnavailable
	for i, rung := range r.ladder {
		if i > 0 {
			if err := out.restart(rung.name); err != nil {
				return answer{}, err
			}
		}
		err := rung.answer(ctx, q, out, share(end, len(r.ladder)-i))
		if err == nil {
			return answer{Degraded: i > 0, Provider: rung.name}, nil
		}
		if !failureOf(err).next {
			return answer{}, fmt.Errorf("%s: %w", rung.name, err)
		}
		failed = fmt.Errorf("%w; %s: %w", failed, rung.name, err)
	}
	return answer{}, failed
}

// share is the end of the time of a rung: two thirds of what is left, so that
// the rung below can still answer; the last one may use all of it.
func share(end time.Time, rungs int) time.Time {
	if rungs == 1 {
		return end
	}
	return time.Now().Add(time.Until(end) * 2 / 3)
}

// A sink takes the text of an answer.
type sink interface {
	token(text string) error       // an error: the user has left
	restart(provider string) error // the text so far is void
	final() bool                   // some of the text is beyond recall
}

// whole keeps the text until it is whole.
type whole struct{ strings.Builder }

func (w *whole) token(text string) error {
	w.WriteString(text)
	return nil
}

func (w *whole) restart(string) error {
	w.Reset()
	return nil
}

func (w *whole) final() bool { return false }

// live passes the text on at once.
type live struct{ out *events }

func (l *live) token(text string) error { return l.out.token(text) }

func (l *live) restart(provider string) error {
	if !l.out.started {
		return nil
	}
	return l.out.restart(provider)
}

func (l *live) final() bool { return l.out.started }
