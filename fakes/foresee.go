package fakes

import (
	"github.com/brownout-chaos/brownout/faults"
)

// announce is the Content-Length of a whole answer: what is really sent where
// the end is clean, else all of the body.
func (p *plan) announce() int {
	if b := p.rupture; b != nil {
		switch {
		case b.Act == faults.ActEnd && b.End == faults.EndClean:
			return b.offset
		case b.Act == faults.ActCorrupt:
			return len(p.stream.Damage(p.answer.Body, b.How))
		}
	}
	return len(p.answer.Body)
}

// foresee is the effect that the plan has when nothing comes in between.
func (x *exchange) foresee(p *plan) Effect {
	e := Effect{Status: p.answer.Status, Delay: p.headers + p.first, End: EndClean}
	if b := p.rupture; b != nil {
		switch b.Act {
		case faults.ActEnd:
			e.End = x.endOf(b.End)
		case faults.ActStall:
			if b.Resume == 0 {
				e.End = EndHang
			}
		}
		if p.silent() && e.End != EndClean {
			return Effect{End: e.End}
		}
	}
	e.Bytes = p.bytes()
	return e
}

// endOf is the end as this connection can express it.
func (x *exchange) endOf(end faults.End) End {
	switch {
	case end == faults.EndClean:
		return EndClean
	case x.r.ProtoMajor == 2:
		return EndStream
	}
	return End(end)
}

// bytes is the length of the body as planned; 0 where a point in time decides.
func (p *plan) bytes() int64 {
	b, n := p.rupture, 0
	if b != nil && p.answer.Stream != nil && b.After.Time > 0 {
		return 0
	}
	var buf []byte
	for i := range p.stream.Len() {
		buf = p.frame(buf, i)
		if b == nil || i != b.frame {
			n += len(buf)
			continue
		}
		switch {
		case b.Act == faults.ActCorrupt:
			n += len(p.stream.Damage(buf, b.How))
		case b.Act == faults.ActError:
			return int64(n + b.offset + len(p.stream.Failure()))
		case b.Act == faults.ActEnd, b.Resume == 0:
			return int64(n + b.offset)
		default:
			n += len(buf)
		}
	}
	return int64(n)
}
