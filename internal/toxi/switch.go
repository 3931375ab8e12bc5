package toxi

import (
	"github.com/Shopify/toxiproxy/v2/toxics"
)

// switchType is the name under which Toxiproxy knows the switch toxic.
const switchType = "brownout_switch"

// A switchToxic is in both chains of every proxy from before its start. It
// does to a connection what the plan says, and follows the plan while the
// connection is open. There is one per proxy and direction.
type switchToxic struct {
	proxy  *proxy
	upward bool // from the service to the provider
}

// register makes the toxic known to Toxiproxy. Toxiproxy's registry is global
// and guarded by a lock; registering the same type again changes nothing, so
// every edge does it and nothing has to remember whether it was done.
func register() { toxics.Register(switchType, new(switchToxic)) }

// NewState gives the connection that a link belongs to. Toxiproxy calls it
// once per link, when it has accepted a connection.
func (s *switchToxic) NewState() any { return s.proxy.connection() }

// Pipe moves the bytes of one link until it ends. Toxiproxy interrupts a pipe
// only to change the chain of a running proxy, which never happens here.
func (s *switchToxic) Pipe(stub *toxics.ToxicStub) {
	c := stub.State.(*connection)
	defer s.proxy.pipes.Done()
	if s.upward {
		c.pipeUp(stub)
		return
	}
	defer c.proxy.control.disconnect()
	newFlow(c, stub).pipe()
}

// A connection is one from the service to the provider: two links.
type connection struct {
	proxy  *proxy
	number uint64        // among all of the edge, from 1
	left   chan struct{} // closed when the service's end is closed
	ended  chan struct{} // closed when the provider's end is closed, or will be
}

// pipeUp passes bytes on unchanged. It is there to learn that the service has
// left: Toxiproxy tells nobody, and a pipe whose reader is gone blocks.
func (c *connection) pipeUp(stub *toxics.ToxicStub) {
	defer close(c.left)
	for {
		select {
		case chunk, ok := <-stub.Input:
			if !ok {
				stub.Close()
				return
			}
			select {
			case stub.Output <- chunk:
			case <-c.ended:
			case <-c.proxy.cut:
			}
		case <-c.proxy.cut:
			finish(stub)
			return
		}
	}
}

// finish closes a link from within: Toxiproxy closes the connection behind
// Output, which ends the other link and with it the one that feeds Input. What
// still comes is taken, since Toxiproxy's reader waits until it is.
func finish(stub *toxics.ToxicStub) {
	stub.Close()
	for range stub.Input {
	}
}
