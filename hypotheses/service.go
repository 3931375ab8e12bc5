package hypotheses

import (
	"fmt"
	"sort"
	"time"
)

// A Service describes the service under test: how to reach or start it, which
// providers it calls, what its users do. Its fields are the keys of service
// files.
type Service struct {
	Version      int                   `json:"version,omitempty"` // 1; 0 means 1 in services built in Go
	Subject      Subject               `json:"service"`
	Providers    map[string]Provider   `json:"providers,omitempty"`
	Dependencies map[string]Dependency `json:"dependencies,omitempty"`
	Endpoints    map[string]Endpoint   `json:"endpoints"`
	Attribution  Attribution           `json:"attribution,omitzero"`
}

// A Subject is where the service runs. Exactly one of URL and Command is set.
type Subject struct {
	Name         string         `json:"name,omitempty"`
	URL          string         `json:"url,omitempty"`           // base address of a running service
	Command      *Command       `json:"command,omitempty"`       // brownout starts and stops it
	Env          Env            `json:"env,omitzero"`            // variables of the command; for a URL: what the operator must have set
	Ready        string         `json:"ready,omitempty"`         // "GET /readyz", polled until 2xx; "": the address accepts connections
	ReadyTimeout *time.Duration `json:"ready_timeout,omitempty"` // nil: 60s
}

// A Command is a program that is the service. ${port} in its arguments or in
// the environment is a free loopback port. The program "brownout" is the
// running brownout itself, or the one on PATH.
type Command struct {
	Run []string `json:"run"`
	Dir string   `json:"dir,omitempty"` // "": the folder of the service file
}

// Env are environment variables. In files: a mapping, or the word sdk for the
// base-URL and key variables that the official SDKs read, pointed at the
// provider named primary (or the only one).
type Env struct {
	SDK  bool
	Vars map[string]string
}

// IsZero reports whether no variable is set.
func (e Env) IsZero() bool { return !e.SDK && len(e.Vars) == 0 }

// UnmarshalYAML reads a mapping of names to values, or the word sdk.
func (e *Env) UnmarshalYAML(decode func(any) error) error {
	var word string
	if decode(&word) == nil {
		if word != "sdk" {
			return fmt.Errorf("env is %q: want a mapping of variables, or the word sdk", word)
		}
		*e = Env{SDK: true}
		return nil
	}
	*e = Env{}
	return decode(&e.Vars)
}

// MarshalYAML writes what [Env.UnmarshalYAML] reads.
func (e Env) MarshalYAML() (any, error) {
	if e.SDK {
		return "sdk", nil
	}
	return e.Vars, nil
}

// A Provider is a fake LLM provider. The zero value listens on a free
// loopback port; ${providers.NAME.openai} is its base URL.
type Provider struct {
	Listen string `json:"listen,omitempty"` // host:port for services that already run
}

// A Dependency is a TCP service that is reached through an edge, so that
// network faults can be put in its way.
type Dependency struct {
	Upstream string `json:"upstream"`         // host:port of the real one
	Listen   string `json:"listen,omitempty"` // host:port the service uses; "": a free loopback port, ${dependencies.NAME}
}

// An Endpoint is something users do with the service.
type Endpoint struct {
	Request      string            `json:"request"`                 // method and path: POST /ask
	Headers      map[string]string `json:"headers,omitempty"`       // ${env.X}, ${request_id}, ${seq} and ${marker} are replaced
	Body         string            `json:"body,omitempty"`          // likewise
	Timeout      *time.Duration    `json:"timeout,omitempty"`       // the user's own patience; nil: 60s
	Stream       Stream            `json:"stream,omitzero"`         // how a streamed answer reads; zero: not streamed
	Bystander    bool              `json:"bystander,omitempty"`     // must not feel the fault
	FailedWhen   string            `json:"failed_when,omitempty"`   // expression; "": status >= 400
	DegradedWhen string            `json:"degraded_when,omitempty"` // expression; "": never
}

// Patience is the user's timeout: Timeout, or 60s.
func (e Endpoint) Patience() time.Duration {
	if e.Timeout == nil {
		return 60 * time.Second
	}
	return *e.Timeout
}

// A Stream says how to read a streamed answer. In files: none, sse, ndjson,
// openai, anthropic, or a mapping with a format and expressions over event (the
// event's name), data (its data as JSON, or nil) and raw (its data as text).
type Stream struct {
	Preset string `json:"-"`                // sse, ndjson, openai or anthropic; "": the fields below
	Format string `json:"format,omitempty"` // sse or ndjson
	Token  string `json:"token,omitempty"`  // which events carry content; "": those with non-empty text
	Text   string `json:"text,omitempty"`   // the text of an event; "": its data
	End    string `json:"end,omitempty"`    // the event that ends a complete answer; "": none is known
	Error  string `json:"error,omitempty"`  // the event that reports an error; "": an event named error
}

// IsZero reports whether the answer is not streamed.
func (s Stream) IsZero() bool { return s == Stream{} }

type streamFields struct {
	Format string `json:"format"`
	Token  string `json:"token,omitempty"`
	Text   string `json:"text,omitempty"`
	End    string `json:"end,omitempty"`
	Error  string `json:"error,omitempty"`
}

// UnmarshalYAML reads the name of a preset or the mapping.
func (s *Stream) UnmarshalYAML(decode func(any) error) error {
	var word string
	if decode(&word) == nil {
		switch word {
		case "none":
			*s = Stream{}
		case "sse", "ndjson", "openai", "anthropic":
			*s = Stream{Preset: word}
		default:
			return fmt.Errorf("stream is %q: want none, sse, ndjson, openai, anthropic or a mapping with a format", word)
		}
		return nil
	}
	var f streamFields
	if err := decode(&f); err != nil {
		return err
	}
	if f.Format != "sse" && f.Format != "ndjson" {
		return fmt.Errorf("format is %q: want sse or ndjson", f.Format)
	}
	*s = Stream{Format: f.Format, Token: f.Token, Text: f.Text, End: f.End, Error: f.Error}
	return nil
}

// MarshalYAML writes what [Stream.UnmarshalYAML] reads.
func (s Stream) MarshalYAML() (any, error) {
	switch {
	case s.IsZero():
		return "none", nil
	case s.Preset != "":
		return s.Preset, nil
	}
	return streamFields{Format: s.Format, Token: s.Token, Text: s.Text, End: s.End, Error: s.Error}, nil
}

// Attribution says by which traces a leaf call is matched with the request
// that caused it. The zero value tries every rung with the header X-Request-ID.
type Attribution struct {
	By     []Rung `json:"by,omitempty"`     // in order of trust; nil: [Rungs]
	Header string `json:"header,omitempty"` // for by header; "": X-Request-ID
}

// HeaderName is the header of the rung by header.
func (a Attribution) HeaderName() string {
	if a.Header == "" {
		return "X-Request-ID"
	}
	return a.Header
}

// A Rung is one way to match leaf calls with requests.
type Rung string

// The rungs of the ladder of attribution, best first.
const (
	RungTrace  Rung = "traceparent" // W3C trace context, passed on by the service
	RungHeader Rung = "header"      // a request id header, passed on by the service
	RungMarker Rung = "marker"      // a marker in the prompt, see ${marker}
	RungSerial Rung = "serial"      // one request at a time
	RungTotals Rung = "totals"      // ratio of totals: means only, nothing per request
)

// Rungs lists the rungs a service file may name, best first.
func Rungs() []Rung { return []Rung{RungTrace, RungHeader, RungMarker, RungSerial} }

// EndpointNames lists the endpoints that are, or are not, bystanders, sorted.
func (s Service) EndpointNames(bystander bool) []string {
	names := []string{}
	for name, e := range s.Endpoints {
		if e.Bystander == bystander {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// Covers reports whether a claim or guard about of is about the endpoint: of
// is its name, or "bystanders" and it is one, or empty and it is none.
func (s Service) Covers(of, endpoint string) bool {
	switch of {
	case Bystanders:
		return s.Endpoints[endpoint].Bystander
	case "":
		return !s.Endpoints[endpoint].Bystander
	default:
		return of == endpoint
	}
}
