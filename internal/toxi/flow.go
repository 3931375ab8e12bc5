package toxi

import (
	"math/rand/v2"
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"
)

// queueLimit is how many bytes of a connection wait at most; then the provider
// has to wait too.
const queueLimit = 4 << 20

// A flow is the way of one connection from the provider to the service.
type flow struct {
	*connection
	stub   *toxics.ToxicStub
	random *rand.Rand // of the jitter
	plan   *plan
	looks  map[*activation]*look // one per toxic of the plan
	shape  shape

	queue  []piece
	queued int       // bytes in queue
	busy   time.Time // the link carries earlier bytes until then
	quiet  time.Time // no byte has come since
	lost   time.Time // when bytes were first dropped; zero: never
	over   bool      // the provider has closed its end
}

// A look is what a toxic has to do with the connection.
type look struct{ selected, touched bool }

// A piece is a chunk, or a part of one, that waits for its time.
type piece struct {
	*stream.StreamChunk
	due time.Time
}

func newFlow(c *connection, stub *toxics.ToxicStub) *flow {
	return &flow{connection: c, stub: stub, random: rand.New(rand.NewPCG(c.proxy.control.seed, c.number))}
}

// pipe moves bytes until one end is closed or a toxic closes the connection.
func (f *flow) pipe() {
	f.run()
	if !f.over {
		close(f.ended)
	}
	finish(f.stub)
}

func (f *flow) run() {
	timer := time.NewTimer(forever)
	defer timer.Stop()
	f.adopt()
	for {
		now := time.Now()
		if f.closes(now) {
			return
		}
		timer.Reset(f.next(now).Sub(now))
		out, head := f.sendable(now)
		select {
		case chunk, ok := <-f.receivable():
			f.take(chunk, ok)
		case out <- head:
			f.queue, f.queued = f.queue[1:], f.queued-len(head.Data)
		case <-timer.C:
		case <-f.plan.changed:
			f.adopt()
		case <-f.left:
			return
		case <-f.proxy.cut:
			return
		}
	}
}

// closes reports whether the connection is at its end.
func (f *flow) closes(now time.Time) bool {
	if at := f.closeAt(); !at.IsZero() && !at.After(now) {
		f.touch(0)
		return true
	}
	if !f.lost.IsZero() && !f.shape.loses() {
		return true // the toxic is lifted, and bytes are missing
	}
	return f.over && len(f.queue) == 0 && !f.shape.resets
}

// closeAt is when a toxic closes the connection if nothing else happens; zero:
// never.
func (f *flow) closeAt() time.Time {
	var at time.Time
	if f.shape.drops && f.shape.timeout > 0 {
		at = f.quiet.Add(f.shape.timeout)
	}
	if f.shape.resets && !f.lost.IsZero() {
		if reset := f.lost.Add(f.shape.resetAfter); at.IsZero() || reset.Before(at) {
			at = reset
		}
	}
	return at
}

// next is when there is something to do without an event. A piece that is due
// already waits for the service to read, which is an event.
func (f *flow) next(now time.Time) time.Time {
	at := f.closeAt()
	if len(f.queue) > 0 && f.queue[0].due.After(now) && (at.IsZero() || f.queue[0].due.Before(at)) {
		at = f.queue[0].due
	}
	if at.IsZero() {
		return now.Add(forever)
	}
	return at
}

// sendable is the first piece and where to send it; nil until it is due.
func (f *flow) sendable(now time.Time) (chan<- *stream.StreamChunk, *stream.StreamChunk) {
	if len(f.queue) == 0 || f.queue[0].due.After(now) {
		return nil, nil
	}
	return f.stub.Output, f.queue[0].StreamChunk
}

// receivable is where chunks come from; nil while there is no room for one. An
// edge without a toxic holds one chunk, so that a reader that waits makes the
// provider wait.
func (f *flow) receivable() <-chan *stream.StreamChunk {
	if f.over || len(f.queue) > 0 && (!f.shape.holds() || f.queued >= queueLimit) {
		return nil
	}
	return f.stub.Input
}

// take handles a chunk, or the end of the provider's side.
func (f *flow) take(chunk *stream.StreamChunk, ok bool) {
	select {
	case <-f.plan.changed: // the chunk came after the change, whichever case was picked
		f.adopt()
	default:
	}
	if !ok {
		f.over = true
		close(f.ended)
		if f.shape.resets && f.lost.IsZero() {
			f.lost = time.Now()
		}
		return
	}
	f.quiet = time.Now()
	f.touch(len(chunk.Data))
	f.place(chunk)
}

// place drops a chunk or puts it into the queue, in portions that are each due
// when the shape lets them pass. Order is kept.
func (f *flow) place(chunk *stream.StreamChunk) {
	if f.shape.loses() {
		if f.lost.IsZero() {
			f.lost = time.Now()
		}
		return
	}
	due := chunk.Timestamp.Add(f.shape.delay(f.random))
	for data := chunk.Data; len(data) > 0; {
		n := f.shape.portion(len(data))
		if due.Before(f.busy) {
			due = f.busy
		}
		f.busy = due.Add(f.shape.airtime(n))
		f.queue = append(f.queue, piece{&stream.StreamChunk{Data: data[:n], Timestamp: chunk.Timestamp}, f.busy})
		f.queued += n
		data = data[n:]
	}
}

// adopt follows the current plan. Bytes that wait are placed anew: they leave
// at once when what held them is lifted.
func (f *flow) adopt() {
	f.plan = f.proxy.control.current()
	before := f.looks
	f.looks, f.shape = map[*activation]*look{}, shape{}
	for _, a := range f.plan.active {
		f.looks[a] = before[a]
		if f.looks[a] == nil {
			f.looks[a] = &look{selected: a.selects(f.proxy.control.seed, f.number)}
			f.proxy.control.add(a.Name, Count{Matched: 1})
		}
		if f.looks[a].selected {
			f.shape.add(a.Toxic)
		}
	}
	queue := f.queue
	f.queue, f.queued, f.busy, f.quiet = nil, 0, time.Time{}, time.Now()
	for _, p := range queue {
		f.place(p.StreamChunk)
	}
}

// touch counts n bytes for every toxic that selected the connection.
func (f *flow) touch(n int) {
	for a, l := range f.looks {
		if !l.selected {
			continue
		}
		more := Count{Bytes: int64(n)}
		if n > 0 {
			more.Chunks = 1
		}
		if !l.touched {
			l.touched, more.Fired = true, 1
		}
		f.proxy.control.add(a.Name, more)
	}
}
