package refservice

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/openai/openai-go/v3"
)

// What ends a call early, beside what the SDK reports.
var (
	errDeadline   = errors.New("no time is left")
	errFirstToken = errors.New("the first token took too long")
	errIdle       = errors.New("the stream fell silent")
	errFull       = errors.New("too many calls run already")
	errCut        = errors.New("the stream ended without a finish reason")
)

// A failure is why a call failed and what may be done about it.
type failure struct {
	error
	retries    int           // how many times the same provider may be asked again
	next       bool          // another provider may be asked
	blames     bool          // the provider's breaker counts it
	connection bool          // the connection broke
	wait       time.Duration // that the provider asked for; 0: none
}

func (f *failure) Unwrap() error { return f.error }

// failureOf gives the failure in err. Any other error is a guard's refusal to
// call: the next rung at once.
func failureOf(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	return &failure{error: err, next: true}
}

// userLeft is nobody's fault, and nobody waits for another attempt.
func userLeft(err error) *failure { return &failure{error: err} }

// whatFailed classifies the end of a call. Garbage and cuts are worth one
// retry, whatever the number of attempts: they seldom heal.
func whatFailed(ctx context.Context, err error, response *http.Response) *failure {
	if cause := context.Cause(ctx); cause != nil {
		return ended(cause)
	}
	if response == nil {
		return &failure{error: err, retries: math.MaxInt, next: true, blames: true, connection: true}
	}
	if response.StatusCode >= 400 {
		return refused(err, response)
	}
	if err == nil {
		err = errCut
	}
	var network net.Error
	broken := errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network)
	return &failure{error: err, retries: 1, next: true, blames: true, connection: broken}
}

// ended classifies a call that our side ended.
func ended(cause error) *failure {
	switch {
	case errors.Is(cause, errFirstToken), errors.Is(cause, errIdle):
		return &failure{error: cause, retries: math.MaxInt, next: true, blames: true}
	case errors.Is(cause, errDeadline):
		return &failure{error: cause, next: true, blames: true}
	}
	return userLeft(cause)
}

// refused classifies an error status. A bad request stays bad with any
// provider; a key, a model or a quota is a matter of this one.
func refused(err error, response *http.Response) *failure {
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusNotFound, outOfQuota(err):
		return &failure{error: err, next: true, blames: true}
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooManyRequests, status >= 500:
		return &failure{error: err, retries: math.MaxInt, next: true, blames: true, wait: retryAfter(response.Header)}
	}
	return &failure{error: err}
}

// outOfQuota reports the 429 that waiting does not cure.
func outOfQuota(err error) bool {
	quota := []string{
		"insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded",
		"project_spend_limit_exceeded", "organization_usage_limit_exceeded",
	}
	var refusal *openai.Error
	return errors.As(err, &refusal) && (slices.Contains(quota, refusal.Type) || slices.Contains(quota, refusal.Code))
}

// retryAfter is the wait that a provider asks for; 0: none that makes sense.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return bounded(ms, time.Millisecond)
	}
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return bounded(seconds, time.Second)
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

// bounded keeps headers from overflowing a duration.
func bounded(n float64, unit time.Duration) time.Duration {
	const longest = 24 * time.Hour // beyond any deadline, and far from overflow
	if !(n > 0) {
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(longest)))
}
