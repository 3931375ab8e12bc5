package hypotheses

// A Verdict is the judgement of one journal. Its JSON form is result.json.
type Verdict struct {
	Version    int           `json:"version"` // of this form: 1
	Tool       string        `json:"tool"`
	Experiment string        `json:"experiment"`
	Seed       uint64        `json:"seed"`
	Status     State         `json:"status"`
	AbortedBy  string        `json:"aborted_by"`
	Started    string        `json:"started"` // RFC 3339
	DurationS  float64       `json:"duration_s"`
	Command    string        `json:"command"`
	Phases     []PhaseReport `json:"phases"`
	Findings   []Finding     `json:"hypotheses"`
	Faults     []FaultReport `json:"faults"`
	Requests   RequestReport `json:"requests"`
	LeafCalls  CallReport    `json:"leaf_calls"`
	Health     HealthReport  `json:"health"`
}

// A State is an answer.
type State string

// The answers.
const (
	Held         State = "held"
	Refuted      State = "refuted"
	Inconclusive State = "inconclusive"
	Aborted      State = "aborted"
	Undeclared   State = "undeclared" // a promise nobody made
)

// A Reason is why a hypothesis is inconclusive, for machines.
type Reason string

// The reasons.
const (
	TooFewSamples     Reason = "too_few_samples"
	IntervalStraddles Reason = "interval_straddles_bound"
	FaultNotObserved  Reason = "fault_not_observed"
	LoadNotDelivered  Reason = "load_not_delivered"
	GeneratorLate     Reason = "generator_late"
	ProviderLate      Reason = "provider_late"
	NoSteadyState     Reason = "no_steady_state"
	TooFewEpisodes    Reason = "too_few_episodes"
	AttributionTooLow Reason = "attribution_too_low"
	NoLeafCalls       Reason = "no_leaf_calls"
	ExpressionError   Reason = "expression_error"
	ClockSkew         Reason = "clock_skew"
	Infrastructure    Reason = "infrastructure"
)

// Reasons lists every reason.
func Reasons() []Reason {
	return []Reason{TooFewSamples, IntervalStraddles, FaultNotObserved, LoadNotDelivered, GeneratorLate, ProviderLate,
		NoSteadyState, TooFewEpisodes, AttributionTooLow, NoLeafCalls, ExpressionError, ClockSkew, Infrastructure}
}

// A Finding is the answer to one hypothesis.
type Finding struct {
	Kind       string     `json:"kind"`
	Says       string     `json:"says"` // the hypothesis in words
	Of         string     `json:"of"`
	Phase      string     `json:"phase"` // where it was looked for, in words
	Status     State      `json:"status"`
	Value      *float64   `json:"value"` // nil: infinite or unknown
	Bound      *float64   `json:"bound"`
	Unit       string     `json:"unit"` // s, share, calls, requests, ""
	Samples    int        `json:"samples"`
	Interval   []*float64 `json:"interval,omitempty"` // low and high end; nil end: unbounded
	Confidence float64    `json:"confidence"`
	Reason     Reason     `json:"reason"`
	Detail     string     `json:"detail"`   // one line for people: samples, exceedances, what to do
	Evidence   []string   `json:"evidence"` // ids of requests to look at in the journal, at most 5
}

// PhaseReport is a phase in result.json.
type PhaseReport struct {
	Name   string  `json:"name"`
	StartS float64 `json:"start_s"`
	EndS   float64 `json:"end_s"`
}

// FaultReport is what a fault did, over all its windows.
type FaultReport struct {
	Name            string   `json:"name"`
	Kind            string   `json:"kind"`
	To              string   `json:"to"`
	Planned         *float64 `json:"planned"` // share; nil: the rule has none
	Matched         int      `json:"matched"`
	Fired           int      `json:"fired"`
	RequestsReached int      `json:"requests_reached"`
	Late            int      `json:"late"` // firings that were late
}

// RequestReport counts what users saw.
type RequestReport struct {
	Total      int                        `json:"total"`
	ByEndpoint map[string]map[Outcome]int `json:"by_endpoint"`
}

// CallReport counts what reached the providers.
type CallReport struct {
	Total         int             `json:"total"`
	Attributed    int             `json:"attributed"`
	Orphans       int             `json:"orphans"`
	Foreign       int             `json:"foreign"`
	Method        Rung            `json:"method"`
	Share         float64         `json:"attribution"` // of our baseline requests whose calls were found, 0 to 1
	PerRequest    CallsPerRequest `json:"per_request"`
	Amplification float64         `json:"amplification"` // 0: unknown
	ByProvider    map[string]int  `json:"by_provider"`
	WastedTokens  int             `json:"wasted_tokens"` // generated for calls whose caller had left
}

// CallsPerRequest is the distribution of leaf calls over requests, bystanders
// left out.
type CallsPerRequest struct {
	Mean      float64        `json:"mean"`
	P99       int            `json:"p99"`
	Max       int            `json:"max"`
	Histogram map[string]int `json:"histogram"`
}

// HealthReport is how well the harness did.
type HealthReport struct {
	LoadLatenessP99MS     float64  `json:"load_lateness_p99_ms"`
	ProviderLatenessP99MS float64  `json:"provider_lateness_p99_ms"`
	NotSent               int      `json:"not_sent"`
	Valid                 bool     `json:"valid"`
	Notes                 []string `json:"notes"`
}
