package faults

import "time"

// A Script is what a provider does with one call, in terms that no wire
// format knows: the provider's dialect turns it into bytes. The zero Script is
// the healthy answer at the healthy pace.
type Script struct {
	Headers Delay  // wait before the status line and the headers
	First   Delay  // further wait between the headers and the first byte of the body
	Gap     Delay  // wait between two chunks of content, instead of the healthy pace
	Reply   *Reply // what is answered instead of the healthy answer; nil: the healthy answer
	Break   *Break // what happens part-way through the answer; nil: it runs to its end
}

// A Reply replaces the healthy answer before any content.
type Reply struct {
	Class      Class             // which error the dialect words; ignored when Body is set
	Status     int               // 0: the status the dialect gives to Class
	Code       string            // the error code in the body; "": the dialect's own for Class
	Header     map[string]string // further response headers
	RetryAfter RetryAfter        // wait handed out to the caller
	Body       *Body             // exact body instead of the dialect's own
}

// A Body is an exact response body.
type Body struct {
	ContentType string
	Text        string
}

// A Class is a kind of error that every dialect words in its own way.
type Class string

// The classes of errors a provider answers with.
const (
	ClassStatus      Class = "status"          // whatever the dialect says for the status
	ClassRateLimit   Class = "rate_limit"      // too many requests for now
	ClassQuota       Class = "quota_exhausted" // no money or quota left: waiting does not help
	ClassUnavailable Class = "unavailable"     // the provider is down
	ClassOverloaded  Class = "overloaded"      // the provider sheds load
)

// A Break is what happens to a healthy answer part-way.
type Break struct {
	Act       Act
	After     Point         // where it happens; the zero Point is before the first byte of the body
	Silent    bool          // with a zero After: not even the headers are sent
	End       End           // for ActEnd
	KeepAlive time.Duration // for ActStall: period of comments that carry no content; 0: none
	Resume    time.Duration // for ActStall: length of the stall; 0: for ever
	How       string        // for ActCorrupt: which damage
}

// An Act is what a [Break] does.
type Act string

// The acts of a [Break].
const (
	ActStall   Act = "stall"   // send nothing more, keep the connection open
	ActEnd     Act = "end"     // end the answer, see End
	ActCorrupt Act = "corrupt" // damage the next chunk (or the JSON body), then go on
	ActError   Act = "error"   // send the dialect's own error event, then end cleanly
)

// An End is how an answer stops. Clients tell the three apart.
type End string

// The ways in which an answer ends.
const (
	EndClean End = "clean" // the HTTP message is complete: last chunk sent, connection reusable
	EndFIN   End = "fin"   // the connection is closed in the middle of the message
	EndRST   End = "rst"   // the connection is reset
)
