package fakes

import (
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// strike does what the break says. It gives what is still to be sent of the
// frame, and whether the answer goes on.
func (x *exchange) strike(p *plan, frame []byte) (rest []byte, goOn bool) {
	b := p.rupture
	switch b.Act {
	case faults.ActCorrupt:
		return p.stream.Damage(frame, b.How), true
	case faults.ActStall:
		return frame[min(b.offset, len(frame)):], x.stall(b, p.stream.Ping())
	case faults.ActError:
		if x.send(p.stream.Failure(), true) {
			x.call.Achieved.End = EndClean
		}
	case faults.ActEnd:
		x.cut(x.endOf(b.End))
	}
	return nil, false
}

// cut ends the answer here.
func (x *exchange) cut(end End) {
	if end != EndClean && !x.call.HeadersAt.IsZero() && !x.flush() {
		return
	}
	x.call.Achieved.End = end
	x.abort = end != EndClean
	if end == EndRST {
		lost := x.conn.reset(x.r.Context())
		x.call.Achieved.Bytes = max(0, x.call.Achieved.Bytes-int64(lost))
	}
}

// stall sends nothing but pings, for the length of the stall or until the
// caller leaves. It reports whether the stall is over.
func (x *exchange) stall(b *rupture, ping []byte) bool {
	if !x.call.HeadersAt.IsZero() && !x.flush() {
		return false
	}
	var pings, over <-chan time.Time
	if b.KeepAlive > 0 && ping != nil && !x.call.HeadersAt.IsZero() {
		ticker := time.NewTicker(b.KeepAlive)
		defer ticker.Stop()
		pings = ticker.C
	}
	until := time.Now().Add(b.Resume)
	if b.Resume > 0 {
		timer := time.NewTimer(b.Resume)
		defer timer.Stop()
		over = timer.C
	}
	for {
		select {
		case <-x.r.Context().Done():
			x.left(endOfStall(b))
			return false
		case <-over:
			x.noteLate(until)
			return true
		case <-pings:
			if _, err := x.w.Write(ping); err != nil || !x.flush() {
				x.left(endOfStall(b))
				return false
			}
		}
	}
}

// endOfStall is the end of a call whose caller leaves in a stall: as planned
// where it would never have ended by itself.
func endOfStall(b *rupture) End {
	if b.Resume == 0 {
		return EndHang
	}
	return EndCaller
}
