package fakes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/brownout-chaos/brownout/fakes/dialect"
	"github.com/brownout-chaos/brownout/faults"
)

// apiUnknown is the API of calls that no dialect knows.
const apiUnknown = "unknown"

// An exchange is one call while it is answered.
type exchange struct {
	p       *Provider
	w       http.ResponseWriter
	r       *http.Request
	conn    *conn
	dialect dialect.Dialect
	request dialect.Request
	facts   facts
	call    Call
	id      string // in the answer: unique per call, the same in every run
	buf     []byte // the frame that is being sent
	abort   bool   // end the connection, or the stream, in the middle of the message
}

// serve is the whole life of a call.
func (p *Provider) serve(w http.ResponseWriter, r *http.Request) {
	id, ok := p.ledger.enter()
	if !ok {
		panic(http.ErrAbortHandler)
	}
	x := &exchange{p: p, w: w, r: r, conn: connOf(r.Context())}
	x.id = hex.EncodeToString(binary.BigEndian.AppendUint64(nil, digest(uint64(id), p.cfg.name)))
	x.call = Call{ID: id, Provider: p.cfg.name, Conn: x.conn.number, Proto: r.Proto}
	defer x.end()
	if plan := x.receive(); plan != nil {
		x.play(plan)
	}
	if x.abort {
		panic(http.ErrAbortHandler)
	}
}

// end records the call; the message itself ends after that.
func (x *exchange) end() {
	defer func() { x.p.ledger.leave(x.call) }()
	x.call.EndedAt = time.Now()
	x.p.cfg.observe(x.call)
}

// receive reads the whole request and plans what happens to it. It is nil when
// the caller left before the end of the request.
func (x *exchange) receive() *plan {
	refusal := x.route()
	x.identify()
	buffer := x.p.buffers.Get().(*[]byte)
	body, whole, err := readBody(x.r.Body, (*buffer)[:0], x.p.cfg.bodyLimit)
	defer func() {
		if *buffer = body; cap(body) <= maxPooled {
			x.p.buffers.Put(buffer)
		}
		x.facts.body = nil
	}()
	x.call.Arrived = time.Now()
	if err != nil {
		x.left(EndCaller)
		x.abort = true // else net/http would answer 200
		return nil
	}
	if !whole {
		body, refusal = body[:0], http.StatusRequestEntityTooLarge
	}
	x.correlate(body, whole)
	x.understand(body, refusal)
	return x.plan()
}

// route finds the dialect and the API, and the status of a call that is
// neither's, else 0.
func (x *exchange) route() (refusal int) {
	x.dialect, x.call.API = x.p.dialects[0], apiUnknown
	for _, d := range x.p.dialects {
		api, status := d.Route(x.r)
		if status == http.StatusNotFound {
			continue
		}
		x.dialect, x.call.API = d, api
		return status
	}
	return http.StatusNotFound
}

// identify takes from the headers what the ledger keeps of them.
func (x *exchange) identify() {
	h := x.r.Header
	x.call.Trace = traceID(h.Get("Traceparent"))
	x.call.Header = redactValue(x.p.cfg.header, h.Get(x.p.cfg.header))
	x.call.Key = redact(apiKey(h))
	if key := h.Get("Idempotency-Key"); key != "" {
		x.call.Idempotency = hash(key, 8)
	}
	if count := h.Get("X-Stainless-Retry-Count"); count != "" {
		if n, err := strconv.Atoi(count); err == nil {
			x.call.SDKRetry = &n
		}
	}
}

// correlate ties the call to a user request and numbers it in its attempt
// group.
func (x *exchange) correlate(body []byte, whole bool) {
	if whole {
		sum := sha256.Sum256(body)
		x.call.BodyHash = hex.EncodeToString(sum[:16])
		x.call.Markers = markers(body)
	}
	ties := correlation{trace: x.call.Trace, header: x.call.Header, markers: x.call.Markers, body: x.call.BodyHash}
	x.facts.key, x.facts.attempt = ties.key(), x.p.attempts.next(ties)
}

// understand has the dialect read the call, or word its refusal.
func (x *exchange) understand(body []byte, refusal int) {
	if refusal == 0 {
		x.request = x.dialect.Read(x.call.API, x.r, body)
	} else {
		x.request.Answer = func(dialect.Origin) dialect.Answer { return x.dialect.Error(refuse(refusal)) }
	}
	x.call.Model, x.call.Stream = x.request.Model, x.request.Stream
	x.facts.api, x.facts.model, x.facts.stream = x.call.API, x.call.Model, x.call.Stream
	x.facts.header, x.facts.body = x.r.Header, body
}

func refuse(status int) faults.Reply {
	reply := faults.Reply{Class: faults.ClassStatus, Status: status}
	if status == http.StatusNotFound {
		reply.Code = dialect.UnknownURL
	}
	return reply
}

// maxPooled is the largest request buffer that is kept for later calls.
const maxPooled = 1 << 20

// readBody reads to the end: a call whose body is not read to its end hides
// that its caller leaves. whole is false for a body over the limit, of which
// some more is read so that its caller listens to the answer.
func readBody(r io.Reader, buf []byte, limit int64) (body []byte, whole bool, err error) {
	const patience = 8 // times the limit
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, max(512, len(buf)))
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case int64(len(buf)) > limit:
			_, err = io.Copy(io.Discard, io.LimitReader(r, patience*limit))
			return buf, false, err
		case errors.Is(err, io.EOF):
			return buf, true, nil
		case err != nil:
			return buf, false, err
		}
	}
}
