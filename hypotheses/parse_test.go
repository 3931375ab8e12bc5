package hypotheses_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/strict"
)

const serviceFile = `version: 1
service:
  name: answers
  command: {run: [./answers, --port, "${port}"]}
  env: {OPENAI_BASE_URL: "${providers.primary.openai}", VECTORS: "${dependencies.vectors}"}
  ready: GET /readyz
  ready_timeout: 60s
providers:
  primary: {}
  fallback: {listen: 127.0.0.1:9102}
dependencies:
  vectors: {upstream: 127.0.0.1:6333, listen: 127.0.0.1:16333}
endpoints:
  ask:
    request: POST /ask
    headers: {Content-Type: application/json, Authorization: "Bearer ${env.TOKEN}"}
    body: '{"question": "reset my password ${marker}"}'
    timeout: 60s
    failed_when: status >= 500
    degraded_when: body.degraded == true
  chat: {request: POST /chat, stream: openai}
  talk: {request: POST /talk, stream: {format: sse, token: 'event == "token"', text: data.t, end: 'event == "done"', error: 'event == "error"'}}
  search: {request: "GET /search?q=password", bystander: true}
attribution: {by: [traceparent, header, marker, serial], header: X-Request-ID}
`

const experimentFile = `version: 1
experiment: answers survive a provider that sheds a third of its calls
service: service.yaml
seed: 42
load:
  rate: 30/s
  arrivals: poisson
  mix: {ask: 9, chat: 1}
  bystanders: 15/s
  phases: [warmup: 2s, baseline: 10s, fault: 20s, recovery: {for: 15s, rate: 60/m}]
faults:
  - to: primary
    phase: fault
    match: {api: chat, model: "gpt-4o*", stream: true, key: sk-a, header: {x-team: a}, body: len(messages) > 3}
    share: 0.33
    rate_limit: {retry_after: 2s}
  - {to: vectors, phase: fault, at: 2s, for: 5s, network: {latency: {latency: 800ms, jitter: 100ms}}}
  - {to: primary, phase: fault, first: 2, reset: }
  - {to: primary, phase: fault, attempts: [1, 2], unavailable: {status: 502, retry_after: {date: 3s}}}
  - {to: primary, phase: fault, stall: {after: 5 chunks, keep_alive: 1s}}
hypotheses:
  - latency: {of: ask, quantile: 0.99, below: 3s}
  - errors: {of: bystanders, at_most: 0}
  - fallbacks: {of: ask, below: 40%, above: baseline}
  - attempts: {of: ask, at_most: 3}
  - amplification: {of: ask, at_most: 1.5}
  - recovery: {of: ask, within: 5s}
  - leaf_calls: {of: ask, at_most: 3x baseline, in: {phase: fault, after: 2s}}
abort_if:
  - errors: {of: bystanders, above: 0.2, for: 5s}
limits: {duration: 5m, rate: 500/s, leaf_calls: 20000}
`

// write puts service and experiment into a folder of their own.
func write(t *testing.T, service, experiment string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"service.yaml": service, "experiment.yaml": experiment} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestParseExperiment(t *testing.T) {
	dir := write(t, serviceFile, experimentFile)
	e, err := hypotheses.ParseExperiment(filepath.Join(dir, "experiment.yaml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Load.Phases[3]; got != (hypotheses.Phase{Name: "recovery", For: 15 * time.Second, Shape: hypotheses.Shape{Rate: 1}}) {
		t.Errorf("recovery: got %+v", got)
	}
	if got := e.Service.Subject.Command.Dir; got != dir {
		t.Errorf("folder of the command: got %q, want the service file's %q", got, dir)
	}
	if got, want := e.Faults[0].Fault, (faults.RateLimit{RetryAfter: faults.After(2 * time.Second)}); got != want {
		t.Errorf("fault: got %#v, want the value %#v", got, want)
	}
	titles := []string{}
	for i := range e.Faults {
		titles = append(titles, e.RuleTitle(i))
	}
	if got := strings.Join(titles, " "); got != "rate_limit latency reset unavailable stall" {
		t.Errorf("titles: got %q", got)
	}
	if got := e.EnvVariables(); !reflect.DeepEqual(got, []string{"TOKEN"}) {
		t.Errorf("variables: got %q", got)
	}
	if e.Check() != nil {
		t.Errorf("what was parsed does not pass its own check: %v", e.Check())
	}
}

func TestOverrideReplacesTheService(t *testing.T) {
	dir := write(t, serviceFile, strings.Replace(experimentFile, "service.yaml", "not-there.yaml", 1))
	service, err := hypotheses.ParseService(filepath.Join(dir, "service.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	service.Subject.Name = "other"
	e, err := hypotheses.ParseExperiment(filepath.Join(dir, "experiment.yaml"), &service)
	if err != nil || e.Service.Subject.Name != "other" {
		t.Errorf("got %q %v", e.Service.Subject.Name, err)
	}
}

// replace changes one part of a file that is good otherwise.
type replace struct{ file, old, new string }

func TestBadFiles(t *testing.T) {
	tests := map[string]struct {
		change replace
		where  string // file:line:
		want   string // part of the message
	}{
		"no version":             {replace{"e", "version: 1\n", ""}, "experiment.yaml:1:", "version"},
		"other version":          {replace{"e", "version: 1", "version: 2"}, "experiment.yaml:1:10", "version 1 only"},
		"no title":               {replace{"e", "experiment: answers survive a provider that sheds a third of its calls", "experiment: ''"}, "experiment.yaml:2:", "title"},
		"unknown key":            {replace{"e", "seed: 42", "sede: 42"}, "experiment.yaml:4:1", `did you mean "seed"`},
		"service not there":      {replace{"e", "service.yaml", "servise.yaml"}, "experiment.yaml:3:10", "no such file"},
		"missing unit":           {replace{"e", "warmup: 2s", "warmup: 2"}, "experiment.yaml:10:20", "write 2s"},
		"zero rate":              {replace{"e", "rate: 30/s", "rate: 0/s"}, "experiment.yaml:6:9", "more than 0/s"},
		"negative rate":          {replace{"e", "rate: 30/s", "rate: -3/s"}, "experiment.yaml:6:9", "more than 0/s"},
		"rate without unit":      {replace{"e", "rate: 30/s", "rate: 30"}, "experiment.yaml:6:9", "30/s"},
		"unknown api":            {replace{"e", "api: chat,", "api: chatt,"}, "experiment.yaml:14:", `did you mean "chat"`},
		"share of down":          {replace{"e", "at: 2s, for: 5s, network: {latency: {latency: 800ms, jitter: 100ms}}", "share: 0.3, network: {down: }"}, "experiment.yaml:17:", "every connection"},
		"field of a call":        {replace{"e", "- recovery: {of: ask, within: 5s}", "- calls: {of: ask, where: call.statuss == 429, at_most: 0}"}, "experiment.yaml:27:", `did you mean "status"`},
		"login in address":       {replace{"s", `command: {run: [./answers, --port, "${port}"]}`, "url: http://ann:pass@127.0.0.1:1"}, "service.yaml:4:", "a login in the address"},
		"plan too large":         {replace{"e", "rate: 30/s", "rate: 1000000/s"}, "experiment.yaml:5:", "more than 5000000"},
		"own trace":              {replace{"s", "headers: {Content-Type: application/json,", "headers: {Traceparent: a,"}, "service.yaml:16:", "sends this header itself"},
		"no port":                {replace{"s", `--port, "${port}"]`, `--port, "80"]`}, "service.yaml:4:", "neither in run nor in env"},
		"too many open":          {replace{"e", "rate: 30/s", "rate: 30/s\n  in_flight: 90000"}, "experiment.yaml:5:", "at most 20000"},
		"two shapes":             {replace{"e", "rate: 30/s", "rate: 30/s\n  serial: 3"}, "experiment.yaml:7:", "exactly one of rate, serial"},
		"unknown arrivals":       {replace{"e", "poisson", "regular"}, "experiment.yaml:7:", "poisson or constant"},
		"unknown in mix":         {replace{"e", "{ask: 9,", "{ax: 9,"}, "experiment.yaml:8:", `did you mean "ask"`},
		"bystander in mix":       {replace{"e", "{ask: 9,", "{search: 9,"}, "experiment.yaml:8:", "load.bystanders"},
		"weight of nothing":      {replace{"e", "{ask: 9,", "{ask: 0,"}, "experiment.yaml:8:", "more than 0"},
		"phase twice":            {replace{"e", "fault: 20s", "baseline: 20s"}, "experiment.yaml:10:", "unique"},
		"own drain":              {replace{"e", "warmup: 2s", "drain: 2s"}, "experiment.yaml:10:", "by itself"},
		"negative phase":         {replace{"e", "warmup: 2s", "warmup: -2s"}, "experiment.yaml:10:", "negative"},
		"empty phase":            {replace{"e", "warmup: 2s", "warmup: 0s"}, "experiment.yaml:10:", "no time"},
		"two in one phase":       {replace{"e", "warmup: 2s, baseline", "{warmup: 2s, base: 1s}, baseline"}, "experiment.yaml:10:", "one pair"},
		"unknown phase":          {replace{"e", "    phase: fault", "    phase: faultt"}, "experiment.yaml:13:", `did you mean "fault"`},
		"unknown provider":       {replace{"e", "- to: primary", "- to: primry"}, "experiment.yaml:12:", `did you mean "primary"`},
		"fault to dependency":    {replace{"e", "- to: primary", "- to: vectors"}, "experiment.yaml:12:", "only network faults"},
		"to nobody":              {replace{"e", "- to: primary\n    phase", "- phase"}, "experiment.yaml:12:", "to whom"},
		"bad share":              {replace{"e", "share: 0.33", "share: 1.33"}, "experiment.yaml:15:12", "up to 1"},
		"two triggers":           {replace{"e", "share: 0.33", "share: 0.33\n    first: 2"}, "experiment.yaml:12:", "at most one of"},
		"two faults":             {replace{"e", "rate_limit: {retry_after: 2s}", "rate_limit: {}\n    hang: {}"}, "experiment.yaml:17:", `"hang" beside "rate_limit"`},
		"unknown fault":          {replace{"e", "rate_limit:", "rate_limits:"}, "experiment.yaml:16:", `did you mean "rate_limit"`},
		"unknown fault key":      {replace{"e", "{retry_after: 2s}", "{retry-after: 2s}"}, "experiment.yaml:16:18", `did you mean "retry_after"`},
		"bad wait":               {replace{"e", "{retry_after: 2s}", "{retry_after: soon}"}, "experiment.yaml:16:31", "{date: 3s}"},
		"bad wait form":          {replace{"e", "{date: 3s}", "{dat: 3s}"}, "experiment.yaml:19:", `did you mean "date"`},
		"half a second":          {replace{"e", "{retry_after: 2s}", "{retry_after: 1500ms}"}, "experiment.yaml:16:31", "{ms: 1500}"},
		"negative time":          {replace{"e", "at: 2s", "at: -2s"}, "experiment.yaml:17:", "negative"},
		"past the phase":         {replace{"e", "at: 2s", "at: 20s"}, "experiment.yaml:17:", "the phase is over"},
		"for without at":         {replace{"e", "at: 2s, ", ""}, "experiment.yaml:17:", "for without at"},
		"unknown toxic":          {replace{"e", "network: {latency:", "network: {latencyy:"}, "experiment.yaml:17:", `did you mean "latency"`},
		"point without unit":     {replace{"e", "after: 5 chunks", "after: 5"}, "experiment.yaml:20:", "5 chunks"},
		"body expression":        {replace{"e", "len(messages) > 3", "len(messages > 3"}, "experiment.yaml:14:", "does not compile"},
		"reset behind edge":      {replace{"e", "to: vectors", "to: primary"}, "experiment.yaml:18:", "Toxiproxy"},
		"unknown hypothesis":     {replace{"e", "- latency:", "- latncy:"}, "experiment.yaml:22:", `did you mean "latency"`},
		"unknown endpoint":       {replace{"e", "latency: {of: ask", "latency: {of: axk"}, "experiment.yaml:22:", `did you mean "ask"`},
		"bound without unit":     {replace{"e", "below: 3s", "below: 3"}, "experiment.yaml:22:47", "write 3s"},
		"no bound":               {replace{"e", ", below: 3s", ""}, "experiment.yaml:22:", "no bound"},
		"share above one":        {replace{"e", "below: 40%", "below: 40"}, "experiment.yaml:24:33", "share from 0 to 1"},
		"in unknown phase":       {replace{"e", "{phase: fault, after", "{phase: falt, after"}, "experiment.yaml:28:", `did you mean "fault"`},
		"guard of nobody":        {replace{"e", "{of: bystanders, above", "{of: nobody, above"}, "experiment.yaml:30:", `no endpoint "nobody"`},
		"guard without bound":    {replace{"e", "above: 0.2, ", ""}, "experiment.yaml:30:", "exactly one of above and below"},
		"guard without time":     {replace{"e", ", for: 5s}", "}"}, "experiment.yaml:30:", "for: 5s"},
		"no bound that counts":   {replace{"e", "- latency: {of: ask, quantile: 0.99", "- latency: {of: ask, quantile: 1.99"}, "experiment.yaml:22:34", "up to 1"},
		"where does not compile": {replace{"e", "- attempts: {of: ask, at_most: 3}", "- share: {of: ask, where: status >= 500 or statu == 1, at_most: 0.5}"}, "experiment.yaml:25:46", "unknown name statu"},
		"calls of nobody":        {replace{"e", "3x baseline,", "3x baseline, to: primry,"}, "experiment.yaml:28:53", `did you mean "primary"`},
		"calls in failed_when":   {replace{"s", "status >= 500", "calls > 3"}, "service.yaml:19:18", "unknown name calls"},
		"only in quotes":         {replace{"s", "status >= 500", "'status >= 500 or x'"}, "service.yaml:19:36", "unknown name x"},
		"absolute request":       {replace{"s", "request: POST /ask", "request: POST http://127.0.0.1/ask"}, "service.yaml:15:14", "POST /ask"},
		"no header name":         {replace{"s", "X-Request-ID}", "X Request ID}"}, "service.yaml:24:66", "name of a header"},
		"empty toxic":            {replace{"e", "{latency: {latency: 800ms, jitter: 100ms}}", "{}"}, "experiment.yaml:17:59", "the toxic is missing"},
		"toxic out of range":     {replace{"e", "jitter: 100ms", "jitter: -100ms"}, "experiment.yaml:17:", "0s or more"},
		"null service":           {replace{"e", "service: service.yaml", "service:"}, "experiment.yaml:3:", "service"},
		"plan over duration":     {replace{"e", "duration: 5m", "duration: 10s"}, "experiment.yaml:31:", "more than 10s"},
		"plan over rate":         {replace{"e", "rate: 500/s", "rate: 20/s"}, "experiment.yaml:31:", "more than 20/s"},

		"url and command":       {replace{"s", "name: answers", `url: "http://127.0.0.1:1"`}, "service.yaml:4:", "both url and command"},
		"neither":               {replace{"s", "  command: {run: [./answers, --port, \"${port}\"]}\n", ""}, "service.yaml:2:", "neither url nor command"},
		"unknown variable":      {replace{"s", "providers.primary.openai", "providers.primry.openai"}, "service.yaml:5:", "${providers.primry.openai} is not known"},
		"unclosed variable":     {replace{"s", "${env.TOKEN}", "${env.TOKEN"}, "service.yaml:16:", "closing brace"},
		"bad listen":            {replace{"s", "127.0.0.1:9102", "9102"}, "service.yaml:10:", "HOST:PORT"},
		"bad upstream":          {replace{"s", "127.0.0.1:6333", "here"}, "service.yaml:12:", "HOST:PORT"},
		"bad request":           {replace{"s", "request: POST /ask", "request: /ask"}, "service.yaml:15:", "POST /ask"},
		"bad method":            {replace{"s", "request: POST /ask", "request: SEND /ask"}, "service.yaml:15:", "POST /ask"},
		"no patience":           {replace{"s", "    timeout: 60s", "    timeout: 0s"}, "service.yaml:18:", "more than 0s"},
		"unknown in failed":     {replace{"s", "status >= 500", "stats >= 500"}, "service.yaml:19:", "it sees body, error, events"},
		"bad types":             {replace{"s", "status >= 500", "status >= 'a'"}, "service.yaml:19:", "does not compile"},
		"unknown stream":        {replace{"s", "stream: openai", "stream: opneai"}, "service.yaml:21:", "openai"},
		"stream without format": {replace{"s", "format: sse, ", ""}, "service.yaml:22:", "sse or ndjson"},
		"stream expression":     {replace{"s", "text: data.t,", "text: dat.t,"}, "service.yaml:22:", "it sees data, event, raw"},
		"unknown rung":          {replace{"s", "[traceparent,", "[traceparnt,"}, "service.yaml:24:", `did you mean "traceparent"`},
		"bystanders by name":    {replace{"s", "  search: {", "  bystanders: {"}, "service.yaml:23:", "another name"},
		"later keys":            {replace{"s", "providers:\n", "promises: {attempts: 3}\nproviders:\n"}, "service.yaml:8:1", `unknown key "promises"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			service, experiment := serviceFile, experimentFile
			text := &experiment
			if test.change.file == "s" {
				text = &service
			}
			if !strings.Contains(*text, test.change.old) {
				t.Fatalf("the good file has no %q", test.change.old)
			}
			*text = strings.Replace(*text, test.change.old, test.change.new, 1)
			dir := write(t, service, experiment)
			_, err := hypotheses.ParseExperiment(filepath.Join(dir, "experiment.yaml"), nil)
			var placed *strict.Error
			if !errors.As(err, &placed) {
				t.Fatalf("got %v, want a *strict.Error", err)
			}
			if !strings.HasPrefix(err.Error(), filepath.Join(dir, test.where)) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got\n%v\nwant %s with %q", err, test.where, test.want)
			}
		})
	}
}

// TestCheckWithoutFile gives experiments built in Go the same checks, by path.
func TestCheckWithoutFile(t *testing.T) {
	e := hypotheses.Experiment{Title: "a", Service: hypotheses.Service{
		Subject:   hypotheses.Subject{URL: "http://127.0.0.1:1"},
		Endpoints: map[string]hypotheses.Endpoint{"ask": {Request: "GET /"}},
	}, Load: hypotheses.Load{Shape: hypotheses.Shape{Rate: 1}, Phases: []hypotheses.Phase{{Name: "a", For: time.Second}}}}
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	e.Load.Mix = map[string]float64{"axk": 1}
	if err := e.Check(); err == nil || !strings.HasPrefix(err.Error(), "load.mix.axk: ") {
		t.Errorf("got %v", err)
	}
	e.Load.Mix = nil
	e.Service.Endpoints["ask"] = hypotheses.Endpoint{Request: "ask"}
	if err := e.Check(); err == nil || !strings.HasPrefix(err.Error(), "service.endpoints.ask.request: ") {
		t.Errorf("got %v", err)
	}
}

// TestRuleTitlesAreUnique whatever the names are.
func TestRuleTitlesAreUnique(t *testing.T) {
	hang := faults.On(faults.Hang{})
	named := hang
	named.Name = "hang-2"
	e := hypotheses.Experiment{Faults: []faults.Rule{hang, named, hang, named}}
	titles := []string{}
	for i := range e.Faults {
		titles = append(titles, e.RuleTitle(i))
	}
	if got := strings.Join(titles, " "); got != "hang hang-2 hang-3 hang-2-2" {
		t.Errorf("got %s", got)
	}
}

// TestBurstEndsWithItsAnswers: serial and burst need no time of their own.
func TestBurstEndsWithItsAnswers(t *testing.T) {
	for _, phase := range []string{"{burst: 50}", "{serial: 3}", "{serial: 3, for: 10s}"} {
		text := strings.Replace(experimentFile, "warmup: 2s", "warmup: "+phase, 1)
		dir := write(t, serviceFile, text)
		if _, err := hypotheses.ParseExperiment(filepath.Join(dir, "experiment.yaml"), nil); err != nil {
			t.Error(err)
		}
	}
}

// TestMixReachesSomebody: a load on bystanders only is a mistake, in the load
// and in a phase.
func TestMixReachesSomebody(t *testing.T) {
	const text = `version: 1
experiment: a
service:
  version: 1
  service: {url: "http://127.0.0.1:1"}
  endpoints: {search: {request: GET /, bystander: true}}
load: `
	for load, good := range map[string]bool{
		"{bystanders: 5/s, phases: [a: 1s]}":         true,
		"{rate: 5/s, phases: [a: 1s]}":               false,
		"{phases: [a: {for: 1s, rate: 5/s}]}":        false,
		"{phases: [a: 1s]}":                          false,
		"{phases: [a: {burst: 5}], bystanders: 5/s}": false,
	} {
		_, err := hypotheses.ParseExperimentBytes("e.yaml", []byte(text+load), "", nil)
		if (err == nil) != good {
			t.Errorf("%s: got %v", load, err)
		}
	}
}

// TestAServiceWithoutEnd is read up to the limit.
func TestAServiceWithoutEnd(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("no /dev/zero here")
	}
	if _, err := hypotheses.ParseService("/dev/zero"); err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("got %v", err)
	}
}

func FuzzParseExperiment(f *testing.F) {
	inline := strings.Replace(experimentFile, "service: service.yaml\n", "service:\n  "+strings.ReplaceAll(strings.TrimSpace(serviceFile), "\n", "\n  ")+"\n", 1)
	f.Add(inline)
	f.Add(experimentFile)
	f.Add("version: 1\nexperiment: a\nload: {phases: [a: {serial: 3}]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := hypotheses.ParseExperimentBytes("fuzz.yaml", []byte(text), "/nonexistent", nil)
		if err != nil {
			return
		}
		data, err := hypotheses.Encode(e)
		if err != nil {
			t.Fatalf("it was read but cannot be written: %v", err)
		}
		back, err := hypotheses.ParseExperimentBytes("again.yaml", data, "/nonexistent", nil)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, data)
		}
		if !reflect.DeepEqual(e, back) {
			t.Fatalf("read %+v\nthen %+v\n%s", e, back, data)
		}
	})
}
