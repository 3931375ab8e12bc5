package load

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// linger is how long a connection may take to become free again after a
// stream has said its end; then it is closed.
const linger = 50 * time.Millisecond

// exchange sends one request and reads its answer; ctx is the run's. Times are
// read before anything looks at the bytes.
func (d *driver) exchange(ctx context.Context, r hypotheses.Request) hypotheses.Request {
	e := d.endpoints[r.Endpoint]
	deadline := d.cfg.Started.Add(r.Planned.Duration()).Add(e.patience)
	ctx, cancel := context.WithDeadlineCause(ctx, deadline, outOfPatience)
	defer cancel()
	req, err := e.newRequest(ctx, r)
	if err != nil {
		r.Outcome, r.Detail = hypotheses.NotSent, err.Error()
		return r
	}
	a := answer{}
	r.Sent = d.now()
	resp, err := d.transport.RoundTrip(req)
	at := d.now()
	if err != nil {
		r.End = at
		fail(&r, ctx, err)
	} else {
		r.Headers, r.Status, a.header = at, resp.StatusCode, resp.Header
		d.receive(ctx, &r, &a, resp.Body)
		leave := time.AfterFunc(linger, cancel)
		_, _ = io.Copy(io.Discard, resp.Body) // frees the connection; one that breaks is not used again
		resp.Body.Close()
		leave.Stop()
	}
	if r.Outcome != hypotheses.NotSent && r.Outcome != hypotheses.Dropped {
		e.decide(&r, a)
	}
	return r
}

// receive reads the answer as the endpoint and the status have it: errors are
// not streamed.
func (d *driver) receive(ctx context.Context, r *hypotheses.Request, a *answer, body io.Reader) {
	e := d.endpoints[r.Endpoint]
	buffer := d.buffers.Get().(*[]byte)
	defer d.buffers.Put(buffer)
	if e.stream == nil || r.Status < http.StatusOK || r.Status >= http.StatusMultipleChoices {
		if e.needs.body || e.needs.text {
			a.body = &kept{}
		}
		if err := d.readBody(r, body, *buffer, a.body); err != nil {
			fail(r, ctx, err)
		}
		return
	}
	if e.needs.text {
		a.text = &kept{}
	}
	s := stream{request: r, mapping: e.stream, decoder: e.stream.decoder(), text: a.text, now: d.now}
	if err := s.read(body, *buffer); err != nil {
		fail(r, ctx, err)
		r.Silent = s.quiet && r.Error == hypotheses.ErrTimeout
	}
}

// readBody reads an answer that is not streamed; keep may be nil.
func (d *driver) readBody(r *hypotheses.Request, body io.Reader, buffer []byte, keep *kept) error {
	for {
		n, err := body.Read(buffer)
		at := d.now()
		if n > 0 && r.Bytes == 0 {
			r.FirstContent = at
		}
		r.Bytes += int64(n)
		if keep != nil {
			keep.add(buffer[:n])
		}
		if err != nil {
			r.End = at
		}
		switch err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}
