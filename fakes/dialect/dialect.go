package dialect

import (
	"net/http"
	"time"

	"github.com/brownout-chaos/brownout/faults"
)

// A Dialect is one wire format.
type Dialect interface {
	// Name is the word for the dialect in ${providers.NAME.DIALECT}, such as
	// "openai".
	Name() string
	// BasePath is what the dialect's clients expect at the end of their base
	// URL, such as "/v1".
	BasePath() string
	// Route names the API of a call by the suffix of its path. The status is
	// 0, or what the call is answered with: 404 for a path that is not the
	// dialect's, 405 for a wrong method.
	Route(r *http.Request) (api string, status int)
	// Read makes sense of a call that Route accepted. A call that the real
	// provider would refuse becomes a Request whose answer is the refusal.
	Read(api string, r *http.Request, body []byte) Request
	// Error words an error that a fault or the engine asks for. The reply's
	// Header and Body are not the dialect's concern.
	Error(reply faults.Reply) Answer
	// Header adds the headers that the provider sends with every answer.
	Header(h http.Header, r Receipt)
}

// A Request is what matters of a call, whatever its wire format.
type Request struct {
	Model  string
	Stream bool
	// Answer is the healthy answer to the call.
	Answer func(Origin) Answer
}

// An Origin says who answers a call, and when.
type Origin struct {
	Provider string    // name of the provider: its answers are made of words that begin with it
	Words    int       // length of an answer that nothing else limits
	ID       string    // unique per call: letters and digits
	Now      time.Time // when the answer was made
}

// A Receipt is what the headers of an answer tell about it.
type Receipt struct {
	ID    string        // as [Origin].ID
	Took  time.Duration // from the arrival of the call to its headers
	Reply *faults.Reply // the error that is answered; nil: the healthy answer
}

// An Answer is a whole answer or a stream.
type Answer struct {
	Status      int
	ContentType string
	TokensIn    int    // tokens of the prompt
	TokensOut   int    // tokens of the answer
	Body        []byte // the whole body, where the answer is not streamed
	Stream      Stream // nil: not streamed
}

// A Stream is an answer in frames: some that open it, those that carry the
// content, one token each, and some that close it. It may be read again, and
// by one goroutine at a time.
type Stream interface {
	// Len is the number of frames.
	Len() int
	// Content says which frames carry content: from first to end-1.
	Content() (first, end int)
	// Append appends frame i to dst.
	Append(dst []byte, i int) []byte
	// Damage is the frame with its content damaged as one of the faults.Damage
	// constants says, and its framing intact.
	Damage(frame []byte, how string) []byte
	// Ping is a frame that carries nothing and that clients skip; nil where the
	// wire format has none.
	Ping() []byte
	// Failure is the frame that reports an error in the middle of a stream.
	Failure() []byte
}

// UnknownURL is the code of the error for a path that no api has.
const UnknownURL = "unknown_url"
