package fakes

import "time"

// A Call is one call that reached the provider. Times that never came are
// zero.
type Call struct {
	ID          int64         `json:"id"` // counts from 1 per provider
	Provider    string        `json:"provider"`
	API         string        `json:"api"` // chat, models...; "unknown" for a path that is no API
	Model       string        `json:"model,omitempty"`
	Stream      bool          `json:"stream,omitempty"`
	Arrived     time.Time     `json:"arrived"` // the whole request was read
	HeadersAt   time.Time     `json:"headers_at,omitzero"`
	FirstAt     time.Time     `json:"first_at,omitzero"` // first byte of the body
	EndedAt     time.Time     `json:"ended_at"`
	Status      int           `json:"status,omitempty"`
	Fault       string        `json:"fault,omitempty"` // title of the rule that fired; "": healthy
	Planned     Effect        `json:"planned"`
	Achieved    Effect        `json:"achieved"`
	Late        time.Duration `json:"late,omitempty"`        // how much later than planned the provider acted, at worst
	Chunks      int           `json:"chunks,omitempty"`      // chunks of content that were sent whole
	HungUp      string        `json:"hung_up,omitempty"`     // who ended the call before its planned end: Caller; "": nobody
	HungUpHow   string        `json:"hung_up_how,omitempty"` // fin, rst or stream_reset
	HungUpAt    time.Time     `json:"hung_up_at,omitzero"`
	RetryAt     time.Time     `json:"retry_at,omitzero"`         // the time before which the caller was told not to come back
	BodyHash    string        `json:"body_hash"`                 // SHA-256, the first 32 hex digits; "": the body did not come whole
	SDKRetry    *int          `json:"sdk_retry,omitempty"`       // x-stainless-retry-count
	Idempotency string        `json:"idempotency_key,omitempty"` // hash of the Idempotency-Key
	Key         string        `json:"key,omitempty"`             // API key, redacted
	Conn        int64         `json:"conn"`                      // number of the connection, from 1 per provider
	Proto       string        `json:"proto"`                     // HTTP/1.1 or HTTP/2.0
	Trace       string        `json:"trace,omitempty"`           // trace id of traceparent
	Header      string        `json:"header,omitempty"`          // value of the attribution header
	Markers     []string      `json:"markers,omitempty"`         // request ids of the markers in the body
	TokensIn    int           `json:"tokens_in,omitempty"`
	TokensOut   int           `json:"tokens_out,omitempty"` // delivered: whole chunks of a stream, or all of a whole answer
}

// An Effect is what the provider did, or meant to do, with a call.
type Effect struct {
	Status int           `json:"status,omitempty"` // 0: no status line
	Delay  time.Duration `json:"delay,omitempty"`  // from the arrival to the first byte of the body, or to the headers where no body came
	Bytes  int64         `json:"bytes,omitempty"`  // of the body
	End    End           `json:"end"`
}

// An End is how a call ends.
type End string

// The ends of a call.
const (
	EndClean  End = "clean"        // the HTTP message is complete
	EndFIN    End = "fin"          // the connection was closed in the message
	EndRST    End = "rst"          // the connection was reset
	EndStream End = "stream_reset" // fin and rst over HTTP/2: one RST_STREAM
	EndHang   End = "hang"         // nothing more came; the call ended when the caller left or the provider closed
	EndCaller End = "caller"       // the caller left before the planned end
)

// Caller is the value of [Call].HungUp when the caller left first.
const Caller = "caller"

// How a caller leaves: [Call].HungUpHow.
const (
	LeftFIN         = "fin"          // it closed the connection
	LeftRST         = "rst"          // it reset the connection
	LeftStreamReset = "stream_reset" // HTTP/2: it reset the stream
)
