package fakes

import (
	"net/http"
	"strconv"
	"time"

	"github.com/brownout-chaos/brownout/fakes/dialect"
	"github.com/brownout-chaos/brownout/faults"
)

// play does what the plan says, until its end or until the caller leaves.
func (x *exchange) play(p *plan) {
	x.call.Planned = p.effect
	x.call.TokensIn = p.answer.TokensIn
	if !x.waitUntil(x.call.Arrived.Add(p.headers)) {
		return
	}
	if p.silent() {
		if _, goOn := x.strike(p, nil); !goOn {
			return
		}
		p.rupture = nil
	}
	if !x.sendHeaders(p) {
		return
	}
	if p.first > 0 && !x.waitUntil(x.call.HeadersAt.Add(p.first)) {
		return
	}
	x.sendFrames(p)
}

// sendHeaders sends them at once, unless a whole answer follows at once.
func (x *exchange) sendHeaders(p *plan) bool {
	now := time.Now()
	h := x.w.Header()
	x.dialect.Header(h, dialect.Receipt{ID: x.id, Took: now.Sub(x.call.Arrived), Reply: p.reply})
	h["Content-Type"] = []string{p.answer.ContentType}
	if p.length >= 0 {
		h["Content-Length"] = []string{strconv.Itoa(p.length)}
	} else if p.answer.Stream != nil {
		h["Cache-Control"] = []string{"no-cache"}
	}
	if p.reply != nil {
		x.handOut(h, *p.reply, now)
	}
	x.w.WriteHeader(p.answer.Status)
	x.call.HeadersAt, x.call.Status = now, p.answer.Status
	x.call.Achieved.Status, x.call.Achieved.Delay = p.answer.Status, now.Sub(x.call.Arrived)
	if p.answer.Stream != nil || p.first > 0 {
		return x.flush()
	}
	return true
}

// handOut adds the headers of an error and notes the wait in them.
func (x *exchange) handOut(h http.Header, reply faults.Reply, now time.Time) {
	for name, value := range reply.RetryAfter.Headers(now) {
		h.Set(name, value)
	}
	for name, value := range reply.Header {
		h.Set(name, value)
	}
	wait, ok := reply.RetryAfter.Deadline()
	if !ok {
		return
	}
	x.call.RetryAt = now.Add(wait)
	if reply.RetryAfter.Form == faults.RetryDate { // which knows whole seconds only
		if date, err := http.ParseTime(h.Get("Retry-After")); err == nil {
			x.call.RetryAt = date
		}
	}
}

// sendFrames sends the body, with the break in it.
func (x *exchange) sendFrames(p *plan) {
	first, end := p.stream.Content()
	b := p.rupture
	for i := range p.stream.Len() {
		content := first <= i && i < end
		if !x.pause(p, b, i, content && i > first) {
			return
		}
		x.buf = p.frame(x.buf, i)
		frame := x.buf
		if b != nil && i == b.frame {
			if !x.reach(b, frame[:b.offset]) {
				return
			}
			goOn := false
			if frame, goOn = x.strike(p, frame); !goOn {
				return
			}
			content = content && b.Act != faults.ActCorrupt
			b = nil
		}
		if !x.send(frame, i == p.stream.Len()-1) {
			return
		}
		x.deliver(p, content)
	}
	if b != nil { // a dialect without a frame behind its content
		if _, goOn := x.strike(p, nil); !goOn {
			return
		}
	}
	x.call.Achieved.End = EndClean
}

// pause waits before frame i; where the time of a break comes before the end
// of the wait, the break comes before this frame.
func (x *exchange) pause(p *plan, b *rupture, i int, gapped bool) bool {
	if p.answer.Stream == nil {
		return true
	}
	next, wait := time.Now(), time.Duration(0)
	if gapped {
		first, _ := p.stream.Content()
		wait = p.gap(i - first)
		next = next.Add(wait)
	}
	if b != nil && b.After.Time > 0 && i < b.frame && next.After(x.call.HeadersAt.Add(b.After.Time)) {
		b.frame = i
		return true
	}
	return wait == 0 || x.waitUntil(next)
}

// reach sends what is left before a break, and waits for its time if it has
// one.
func (x *exchange) reach(b *rupture, part []byte) bool {
	if len(part) > 0 && !x.send(part, false) {
		return false
	}
	return b.After.Time == 0 || x.flush() && x.waitUntil(x.call.HeadersAt.Add(b.After.Time))
}

// deliver counts a frame of content that was sent whole.
func (x *exchange) deliver(p *plan, content bool) {
	switch {
	case !content:
	case p.answer.Stream == nil:
		x.call.TokensOut = p.answer.TokensOut
	default:
		x.call.Chunks++
		x.call.TokensOut++
	}
}
