package fakes

import (
	"net/http"
	"time"

	"github.com/brownout-chaos/brownout/fakes/dialect"
	"github.com/brownout-chaos/brownout/faults"
)

// A plan is what shall happen to a call, decided before anything is sent.
type plan struct {
	answer  dialect.Answer
	stream  dialect.Stream // the answer in frames, also of a whole answer
	reply   *faults.Reply  // the error that is answered; nil: the healthy answer
	headers time.Duration  // from the arrival to the headers
	first   time.Duration  // from the headers to the first frame
	gap     func(i int) time.Duration
	length  int // Content-Length; -1: none
	rupture *rupture
	effect  Effect
}

// A rupture is a break with its place in the answer.
type rupture struct {
	faults.Break
	frame  int // it happens before this frame,
	offset int // or so many bytes into it
}

// plan asks the rules and lays out the answer.
func (x *exchange) plan() *plan {
	script, chance := faults.Script{}, draw{}
	if r := x.p.rules.decide(&x.facts); r != nil {
		x.call.Fault, script, chance = r.title, r.script, r.draw(&x.facts, x.p.cfg.seed)
	}
	p := &plan{length: -1}
	brk := x.choose(p, script)
	if brk != nil {
		p.rupture = place(p.stream, p.answer.Stream != nil, *brk)
	}
	x.pace(p, script, chance)
	if p.answer.Stream == nil && x.hasBody(p.answer.Status) {
		p.length = p.announce()
	}
	p.effect = x.foresee(p)
	return p
}

// choose picks the answer, and gives the break that is left to play.
func (x *exchange) choose(p *plan, script faults.Script) *faults.Break {
	brk := script.Break
	if p.reply = script.Reply; p.reply == nil {
		p.answer = x.request.Answer(x.origin())
		if brk != nil && brk.Act == faults.ActError && p.answer.Stream == nil {
			// There is no stream to report an error in: it is the answer.
			p.reply, brk = &faults.Reply{Class: faults.ClassStatus, Status: http.StatusInternalServerError}, nil
		}
	}
	if p.reply != nil {
		p.answer = x.dialect.Error(*p.reply)
		if exact := p.reply.Body; exact != nil {
			p.answer.ContentType, p.answer.Body = exact.ContentType, []byte(exact.Text)
		}
	}
	if p.stream = p.answer.Stream; p.stream == nil {
		if !x.hasBody(p.answer.Status) {
			p.answer.Body = nil
		}
		p.stream = whole(p.answer.Body)
	}
	return brk
}

func (x *exchange) origin() dialect.Origin {
	return dialect.Origin{Provider: x.p.cfg.name, Words: x.p.cfg.words, ID: x.id, Now: x.call.Arrived}
}

// hasBody is false where HTTP allows no body.
func (x *exchange) hasBody(status int) bool {
	return x.r.Method != http.MethodHead && status != http.StatusNoContent && status != http.StatusNotModified
}

// pace sets the waits: the healthy ones for an answer that is made of tokens,
// unless the script has its own.
func (x *exchange) pace(p *plan, script faults.Script, chance draw) {
	first, gap := time.Duration(0), time.Duration(0)
	if p.answer.TokensOut > 0 && !p.silent() {
		first, gap = x.p.cfg.first, x.p.cfg.gap
	}
	p.headers = first
	if !script.Headers.IsZero() || !script.First.IsZero() {
		p.headers = script.Headers.At(chance.at("headers", 0))
		p.first = script.First.At(chance.at("first", 0))
	}
	p.gap = func(int) time.Duration { return gap }
	if !script.Gap.IsZero() {
		p.gap = func(i int) time.Duration { return script.Gap.At(chance.at("gap", i)) }
	}
	if p.answer.Stream == nil && p.reply == nil {
		for i := 1; i < p.answer.TokensOut; i++ {
			p.headers += p.gap(i)
		}
	}
}

// frame is frame i, in buf where it has to be made.
func (p *plan) frame(buf []byte, i int) []byte {
	if p.answer.Stream == nil {
		return p.answer.Body
	}
	return p.stream.Append(buf[:0], i)
}

// silent reports a break before the headers.
func (p *plan) silent() bool { return p.rupture != nil && p.rupture.Silent && p.rupture.After.IsZero() }

// place finds the frame and the byte at which a break happens: at the end of
// the content at the latest. A point in time is that place, too, unless the
// time comes earlier; an answer that is not streamed has its half for chunks
// and times.
func place(s dialect.Stream, streamed bool, b faults.Break) *rupture {
	at := &rupture{Break: b}
	first, end := s.Content()
	switch {
	case b.After.IsZero(), !streamed && b.Act == faults.ActCorrupt:
	case !streamed:
		at.offset = len(s.Append(nil, 0)) / 2
		if b.After.Bytes > 0 {
			at.offset = min(int(b.After.Bytes), max(0, len(s.Append(nil, 0))-1))
		}
	case b.After.Chunks > 0:
		at.frame = min(first+b.After.Chunks, end)
	case b.After.Time > 0:
		at.frame = end
	default:
		at.frame, at.offset = placeByte(s, end, int(b.After.Bytes))
		if b.Act == faults.ActCorrupt {
			at.offset = 0
		}
	}
	return at
}

func placeByte(s dialect.Stream, end, bytes int) (frame, offset int) {
	var buf []byte
	for i := range end {
		buf = s.Append(buf[:0], i)
		if bytes < len(buf) {
			return i, bytes
		}
		bytes -= len(buf)
	}
	return end, 0
}

// whole is a whole answer as a stream of one frame.
type whole []byte

func (whole) Len() int                               { return 1 }
func (whole) Content() (first, end int)              { return 0, 1 }
func (w whole) Append(dst []byte, _ int) []byte      { return append(dst, w...) }
func (whole) Damage(frame []byte, how string) []byte { return dialect.DamageJSON(frame, how) }
func (whole) Ping() []byte                           { return nil }
func (whole) Failure() []byte                        { return nil }
