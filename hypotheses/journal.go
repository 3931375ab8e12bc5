package hypotheses

import "time"

// A Journal is the record of one run: enough to judge it, and to judge it
// again with other hypotheses. All times are since Run.Started.
type Journal struct {
	Run      Run         `json:"run"`
	Phases   []PhaseSpan `json:"phases"`
	Windows  []Window    `json:"windows"`
	Requests []Request   `json:"requests"`
	Calls    []LeafCall  `json:"calls"`
	Notes    []Note      `json:"notes"`
	Health   Health      `json:"health"`
	End      End         `json:"end"`
}

// Run says what was run.
type Run struct {
	Tool       string     `json:"tool"` // "brownout x.y.z"
	Experiment Experiment `json:"-"`    // as resolved; the journal file keeps it as YAML
	Seed       uint64     `json:"seed"`
	Command    string     `json:"command,omitempty"` // the command line that repeats the run
	Started    time.Time  `json:"started"`
	Recorded   []string   `json:"recorded,omitempty"` // paths of bodies and headers that requests keep in Seen
}

// A PhaseSpan is a phase as it happened.
type PhaseSpan struct {
	Name  string  `json:"name"`
	Start Seconds `json:"start"`
	End   Seconds `json:"end"`
}

// A Window is one time in which a fault was active, with what it did.
type Window struct {
	Rule    int      `json:"rule"` // place in Experiment.Faults
	Name    string   `json:"name"` // the rule's title, unique in the run
	Kind    string   `json:"kind"` // the fault's key; for network faults the toxic's
	To      string   `json:"to"`
	Network bool     `json:"network,omitempty"`
	Start   Seconds  `json:"start"`
	End     Seconds  `json:"end"`
	Planned *float64 `json:"planned,omitempty"` // share, where the rule has one
	Wanted  int      `json:"wanted,omitempty"`  // how many times it was told to fire, where the rule says
	Matched int      `json:"matched"`           // calls (connections for network faults) it looked at
	Failed  string   `json:"failed,omitempty"`  // why the fault could not be switched on or off; voids what was judged in the window
	Fired   int      `json:"fired"`             // calls (connections) it fired on
}

// A Request is what one user did and saw. Times that never came are zero.
type Request struct {
	ID           string         `json:"id"` // r-000123
	Seq          int            `json:"seq"`
	Endpoint     string         `json:"endpoint"`
	Phase        string         `json:"phase"` // of the planned start
	Trace        string         `json:"trace"` // trace id sent in traceparent, 32 hex digits
	Planned      Seconds        `json:"planned"`
	Sent         Seconds        `json:"sent,omitempty"`
	Headers      Seconds        `json:"headers,omitempty"`
	FirstEvent   Seconds        `json:"first_event,omitempty"`
	FirstContent Seconds        `json:"first_content,omitempty"` // first token of a stream; of another answer its first byte
	End          Seconds        `json:"end,omitempty"`           // end of the answer, or when the user gave up
	MaxGap       Seconds        `json:"max_gap,omitempty"`       // longest wait between two events of a stream, up to its end or reported error
	Silent       bool           `json:"silent,omitempty"`        // the stream was still silent when the user gave up: the last gap is unbounded
	Status       int            `json:"status"`                  // 0: no answer
	Outcome      Outcome        `json:"outcome"`
	Error        RequestError   `json:"error,omitempty"`  // why it failed
	Detail       string         `json:"detail,omitempty"` // the error's own words, one line, redacted
	Events       int            `json:"events,omitempty"`
	Bytes        int64          `json:"bytes,omitempty"`
	Seen         map[string]any `json:"seen,omitempty"`       // what hypotheses look at: body, header, text, by path
	ExprError    string         `json:"expr_error,omitempty"` // failed_when or degraded_when could not be evaluated
}

// An Outcome is how a request ended for its user.
type Outcome string

// The outcomes of a request.
const (
	OK       Outcome = "ok"
	Failed   Outcome = "failed"
	Degraded Outcome = "degraded" // answered, and flagged by degraded_when
	NotSent  Outcome = "not_sent" // over the cap on open requests: never sent, voids the load
	Dropped  Outcome = "dropped"  // still open when the run was aborted: not judged
)

// A RequestError is why a request failed.
type RequestError string

// The reasons for which a request fails.
const (
	ErrTimeout    RequestError = "timeout"     // the user's patience ran out
	ErrRefused    RequestError = "refused"     // no connection
	ErrReset      RequestError = "reset"       // the connection broke before or in the answer
	ErrTruncated  RequestError = "truncated"   // the stream ended without its known end
	ErrEvent      RequestError = "error_event" // the stream reported an error
	ErrMalformed  RequestError = "malformed"   // an answer that is no HTTP, or a stream that does not parse
	ErrStatus     RequestError = "status"      // status >= 400
	ErrFailedWhen RequestError = "failed_when" // the endpoint's own expression
)

// A LeafCall is one call that reached a provider. Times that never came are
// zero.
type LeafCall struct {
	ID          int64    `json:"id"` // counts from 1 per provider
	Provider    string   `json:"provider"`
	API         string   `json:"api"`
	Model       string   `json:"model,omitempty"`
	Stream      bool     `json:"stream,omitempty"`
	Arrived     Seconds  `json:"arrived"` // the whole request was read
	Headers     Seconds  `json:"headers,omitempty"`
	First       Seconds  `json:"first,omitempty"` // first byte of the body
	End         Seconds  `json:"end"`
	Status      int      `json:"status,omitempty"`
	Fault       string   `json:"fault,omitempty"` // name of the rule that fired; "": healthy
	Planned     Effect   `json:"planned"`
	Achieved    Effect   `json:"achieved"`
	Late        Seconds  `json:"late,omitempty"` // how much later than planned the provider acted
	Chunks      int      `json:"chunks,omitempty"`
	HungUp      string   `json:"hung_up,omitempty"`     // who ended the call before its planned end: caller; "": nobody
	HungUpHow   string   `json:"hung_up_how,omitempty"` // fin, rst or stream_reset
	HungUpAt    Seconds  `json:"hung_up_at,omitempty"`
	RetryAt     Seconds  `json:"retry_at,omitempty"` // the time before which the caller was told not to come back
	BodyHash    string   `json:"body_hash"`
	SDKRetry    *int     `json:"sdk_retry,omitempty"`       // x-stainless-retry-count
	Idempotency string   `json:"idempotency_key,omitempty"` // hash of the Idempotency-Key
	Key         string   `json:"key,omitempty"`             // API key, redacted
	Conn        int64    `json:"conn"`                      // connection number, per provider
	Proto       string   `json:"proto"`                     // HTTP/1.1 or HTTP/2.0
	Trace       string   `json:"trace,omitempty"`           // trace id of traceparent
	Header      string   `json:"header,omitempty"`          // value of the attribution header
	Markers     []string `json:"markers,omitempty"`         // request ids of the markers in the body
	TokensIn    int      `json:"tokens_in,omitempty"`
	TokensOut   int      `json:"tokens_out,omitempty"` // delivered
}

// An Effect is what a provider did, or meant to do, with a call.
type Effect struct {
	Status int     `json:"status,omitempty"`
	Delay  Seconds `json:"delay,omitempty"` // before the first byte of the answer
	Bytes  int64   `json:"bytes,omitempty"` // of the body; planned 0: not known ahead
	End    string  `json:"end"`             // clean, fin, rst, hang, caller, or over HTTP/2 stream_reset instead of fin and rst
}

// A Note is something the reader of a verdict must know.
type Note struct {
	At   Seconds `json:"at"`
	Kind string  `json:"kind"` // infrastructure, background_calls, clock, load, ...
	Text string  `json:"text"`
}

// Health is how well the harness itself did.
type Health struct {
	LoadLateness     Seconds `json:"load_lateness_p99"`     // sent later than planned
	ControlLateness  Seconds `json:"control_lateness_p99"`  // of a goroutine that only sleeps: the machine's own noise
	ProviderLateness Seconds `json:"provider_lateness_p99"` // acted later than planned
	NotSent          int     `json:"not_sent"`
	Evicted          int     `json:"evicted,omitempty"` // records that the bounded journal had no room for
}

// End says how the run ended. Totals are exact even when records were
// evicted.
type End struct {
	At        Seconds        `json:"at"`
	AbortedBy string         `json:"aborted_by,omitempty"` // guard, limit or signal, in words; "": ran to its end
	Partial   bool           `json:"partial,omitempty"`    // the run was killed before it could write its end
	Died      string         `json:"died,omitempty"`       // the service ended by itself: how; refutes alive
	Requests  int            `json:"requests"`
	Calls     map[string]int `json:"calls"` // per provider
}
