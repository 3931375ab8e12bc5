package load

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"syscall"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// gaveUp is the cause for which an open request is given up.
type gaveUp string

const (
	outOfPatience gaveUp = "the user's timeout passed"
	drained       gaveUp = "still open when the drain ended"
)

func (g gaveUp) Error() string { return string(g) }

// fail writes into the request why it got no complete answer. Who gave up is
// in the context's cause: the user, the end of the drain, or the run.
func fail(r *hypotheses.Request, ctx context.Context, err error) {
	r.Outcome, r.Detail = hypotheses.Failed, err.Error()
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, outOfPatience), errors.Is(cause, drained):
		r.Error, r.Detail = hypotheses.ErrTimeout, cause.Error()
	case cause != nil:
		r.Outcome, r.Error, r.Detail = hypotheses.Dropped, "", "the run ended: "+cause.Error()
	case ownLimit(err):
		r.Outcome, r.Sent, r.End = hypotheses.NotSent, 0, 0
	default:
		r.Error = broken(err)
	}
}

// ownLimit reports an error of this machine, which says nothing about the
// service: no descriptor or port was left.
func ownLimit(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.EADDRNOTAVAIL)
}

// broken says what became of a connection.
func broken(err error) hypotheses.RequestError {
	var op *net.OpError
	var protocol textproto.ProtocolError
	switch {
	case errors.As(err, &op) && (op.Op == "dial" || op.Op == "remote error" || op.Op == "local error"):
		return hypotheses.ErrRefused
	case errors.As(err, &op):
		return hypotheses.ErrReset
	case errors.As(err, &protocol), errors.Is(err, http.ErrLineTooLong), says(err, "malformed", "invalid", "unsupported", "server gave HTTP response"):
		return hypotheses.ErrMalformed
	case says(err, "tls:", "x509:"):
		return hypotheses.ErrRefused
	default:
		return hypotheses.ErrReset
	}
}

// says looks at the words of errors that net/http gives no type.
func says(err error, words ...string) bool {
	for _, word := range words {
		if strings.Contains(err.Error(), word) {
			return true
		}
	}
	return false
}
