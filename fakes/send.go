package fakes

import (
	"net/http"
	"time"
)

// send sends a part of the body and flushes it. The last part of an answer is
// not flushed: its last byte leaves when the message ends, so that the record
// of the call is there before its caller sees the end. It is false when the
// caller has left.
func (x *exchange) send(part []byte, last bool) bool {
	if x.r.Context().Err() != nil {
		x.left(EndCaller)
		return false
	}
	if x.call.FirstAt.IsZero() && len(part) > 0 {
		x.call.FirstAt = time.Now()
		x.call.Achieved.Delay = x.call.FirstAt.Sub(x.call.Arrived)
	}
	if !last || len(part) == 0 {
		return x.write(part) && (last || x.flush())
	}
	return x.write(part[:len(part)-1]) && x.write(part[len(part)-1:])
}

func (x *exchange) write(part []byte) bool {
	if len(part) == 0 {
		return true
	}
	n, err := x.w.Write(part)
	x.call.Achieved.Bytes += int64(n)
	if err != nil {
		x.left(EndCaller)
		return false
	}
	return true
}

func (x *exchange) flush() bool {
	if err := http.NewResponseController(x.w).Flush(); err != nil {
		x.left(EndCaller)
		return false
	}
	return true
}

// waitUntil waits for the time and notes how late it is then. It is false when
// the caller has left.
func (x *exchange) waitUntil(at time.Time) bool {
	if d := time.Until(at); d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-x.r.Context().Done():
			x.left(EndCaller)
			return false
		case <-timer.C:
		}
	}
	x.noteLate(at)
	return true
}

func (x *exchange) noteLate(planned time.Time) {
	x.call.Late = max(x.call.Late, time.Since(planned))
}

// left records that the call is over before its planned end: the caller has
// left, or the provider closes.
func (x *exchange) left(end End) {
	if x.p.ledger.closing() {
		if end == EndCaller {
			end = EndFIN
		}
		x.call.Achieved.End = end
		return
	}
	x.call.Achieved.End = end
	x.call.HungUp, x.call.HungUpAt = Caller, time.Now()
	if l := x.conn.left.Load(); l != nil {
		x.call.HungUpHow, x.call.HungUpAt = l.how, l.at
	} else if x.r.ProtoMajor == 2 {
		x.call.HungUpHow = LeftStreamReset
	}
}
