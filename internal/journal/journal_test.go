package journal_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/journal"
)

func experiment() hypotheses.Experiment {
	return hypotheses.Experiment{
		Title: "answers survive: a | \"quoted\" title",
		Service: hypotheses.Service{
			Subject:   hypotheses.Subject{Name: "answers", URL: "http://127.0.0.1:8080"},
			Providers: map[string]hypotheses.Provider{"primary": {}},
			Endpoints: map[string]hypotheses.Endpoint{
				"ask":    {Request: "POST /ask", Body: `{"question": "${marker}"}`},
				"search": {Request: "GET /search", Bystander: true},
			},
		},
		Seed: 42,
		Load: hypotheses.Load{
			Shape:      hypotheses.Shape{Rate: hypotheses.PerSecond(30)},
			Bystanders: hypotheses.PerSecond(15),
			Phases:     []hypotheses.Phase{{Name: "baseline", For: 10 * time.Second}, {Name: "fault", For: 20 * time.Second}},
		},
		Faults: []faults.Rule{faults.On(faults.Unavailable{}).During("fault")},
		Hypotheses: hypotheses.Claims(
			hypotheses.Latency("ask").Quantile(0.99).Below(3*time.Second),
			hypotheses.Errors("bystanders").AtMost(0),
			hypotheses.Attempts("ask").AtMost(3),
		),
	}
}

func aRun() hypotheses.Run {
	return hypotheses.Run{
		Tool: "brownout test", Experiment: experiment(), Seed: 42, Command: "brownout run x.yaml --seed 42",
		Started:  time.Date(2026, 3, 4, 5, 6, 7, 890_123_456, time.FixedZone("", 3600)),
		Recorded: []string{"body.degraded"},
	}
}

func request(seq int) hypotheses.Request {
	at := hypotheses.Seconds(seq) * 33_333_333
	return hypotheses.Request{
		ID: hypotheses.RequestID(seq), Seq: seq, Endpoint: "ask", Phase: "baseline", Trace: hypotheses.TraceID(42, seq),
		Planned: at, Sent: at + 1, Headers: at + 1_234_567, FirstContent: at + 2_000_001, End: at + 12_345_679,
		Status: 200, Outcome: hypotheses.OK, Bytes: 1 << 40,
		Seen: map[string]any{"body.n": 3, "body.big": int64(1) << 53, "body.list": []string{"a"}, "body.none": nil, "text": "\x00\xff<é>"},
	}
}

func call(provider string, id int64) hypotheses.LeafCall {
	retry := 2
	return hypotheses.LeafCall{
		ID: id, Provider: provider, API: "chat", Arrived: hypotheses.Seconds(id) * 1_000_003, End: hypotheses.Seconds(id) * 2_000_003,
		Status: 503, Fault: "unavailable to primary", Planned: hypotheses.Effect{Status: 503, End: "clean"},
		Achieved: hypotheses.Effect{Status: 503, End: "clean"}, Late: 17, SDKRetry: &retry, Markers: []string{},
		Trace: hypotheses.TraceID(42, int(id)),
	}
}

// fill records one of everything, requests and calls out of order.
func fill(w *journal.Writer) {
	share := 0.33
	w.Phase(hypotheses.PhaseSpan{Name: "baseline", End: 10e9})
	for seq := 5; seq > 0; seq-- {
		w.Request(request(seq))
		w.Call(call("primary", int64(seq)))
		w.Call(call("fallback", int64(seq)))
	}
	w.Window(hypotheses.Window{Rule: 1, Name: "b", Start: 20e9, End: 30e9, Planned: &share, Matched: 3, Fired: 1})
	w.Window(hypotheses.Window{Rule: 0, Name: "a", Start: 20e9, End: 31e9})
	w.Note(hypotheses.Note{At: 7, Kind: "drain", Text: "late"})
	w.Note(hypotheses.Note{At: 3, Kind: "clock", Text: "early"})
	w.Phase(hypotheses.PhaseSpan{Name: "fault", Start: 10e9, End: 30e9})
	w.Health(hypotheses.Health{LoadLateness: 800_000, ControlLateness: 1, ProviderLateness: 500_001})
	w.End(hypotheses.End{At: 31e9, Requests: 5, Calls: map[string]int{"primary": 5, "fallback": 5}})
}

func create(t *testing.T, dir string, limit int) *journal.Writer {
	t.Helper()
	w, err := journal.Create(dir, aRun(), limit)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func closed(t *testing.T, w *journal.Writer) hypotheses.Journal {
	t.Helper()
	j, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func readBack(t *testing.T, dir string) hypotheses.Journal {
	t.Helper()
	j, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// asJSON is the journal with its experiment, in bytes.
func asJSON(t *testing.T, j hypotheses.Journal) string {
	t.Helper()
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	yaml, err := hypotheses.Encode(j.Run.Experiment)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + string(yaml)
}

// TestReplay: the journal of the run and the one read from its file are the
// same, and so is the one kept in memory.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	inFile, inMemory := create(t, dir, 0), create(t, "", 0)
	fill(inFile)
	fill(inMemory)
	live, memory, replayed := closed(t, inFile), closed(t, inMemory), readBack(t, dir)
	if !reflect.DeepEqual(live, replayed) {
		t.Errorf("live and replayed journals differ:\n%+v\n%+v", live, replayed)
	}
	if got, want := asJSON(t, memory), asJSON(t, replayed); got != want {
		t.Errorf("in memory:\n%s\nfrom the file:\n%s", got, want)
	}
	verdict := func(j hypotheses.Journal) string {
		text, err := json.Marshal(hypotheses.Judge(j))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got, want := verdict(memory), verdict(replayed); got != want {
		t.Errorf("verdict in memory:\n%s\nfrom the file:\n%s", got, want)
	}
}

// TestNothingIsLost: what went in comes out, times to the nanosecond.
func TestNothingIsLost(t *testing.T) {
	w := create(t, "", 0)
	fill(w)
	j := closed(t, w)
	for seq := 1; seq <= 5; seq++ {
		got, want := j.Requests[seq-1], request(seq)
		got.Seen, want.Seen = nil, nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("request %d: got %+v, want %+v", seq, got, want)
		}
		gotCall, wantCall := j.Calls[5+seq-1], call("primary", int64(seq))
		wantCall.Markers = nil // an empty list and none are the same
		if !reflect.DeepEqual(gotCall, wantCall) {
			t.Errorf("call %d: got %+v, want %+v", seq, gotCall, wantCall)
		}
	}
	if got := j.Requests[0].Seen["body.n"]; got != 3.0 {
		t.Errorf("a number that was seen is %T %v, want float64 3 as in a replay", got, got)
	}
	run, want := j.Run, aRun()
	if !run.Started.Equal(want.Started) || run.Started.Format(time.RFC3339Nano) != want.Started.Format(time.RFC3339Nano) {
		t.Errorf("started: got %v, want %v", run.Started, want.Started)
	}
	if run.Tool != want.Tool || run.Seed != want.Seed || run.Command != want.Command || !slices.Equal(run.Recorded, want.Recorded) {
		t.Errorf("run: got %+v, want %+v", run, want)
	}
	got, err := hypotheses.Encode(run.Experiment)
	if err != nil {
		t.Fatal(err)
	}
	if original, err := hypotheses.Encode(want.Experiment); err != nil || !bytes.Equal(got, original) {
		t.Errorf("experiment: got\n%s\nwant\n%s (%v)", got, original, err)
	}
	if j.Health.ProviderLateness != 500_001 || j.End.At != 31e9 || j.End.Calls["fallback"] != 5 || j.End.AbortedBy != "" {
		t.Errorf("got health %+v and end %+v", j.Health, j.End)
	}
}

func TestOrder(t *testing.T) {
	w := create(t, "", 0)
	fill(w)
	j := closed(t, w)
	got := []string{}
	for _, p := range j.Phases {
		got = append(got, p.Name)
	}
	for _, f := range j.Windows {
		got = append(got, f.Name)
	}
	for _, n := range j.Notes {
		got = append(got, n.Text)
	}
	if want := []string{"baseline", "fault", "a", "b", "early", "late"}; !slices.Equal(got, want) {
		t.Errorf("phases, windows, notes: got %v, want %v", got, want)
	}
	if !slices.IsSortedFunc(j.Requests, func(a, b hypotheses.Request) int { return a.Seq - b.Seq }) {
		t.Error("requests are not in the order of their numbers")
	}
	if first, last := j.Calls[0], j.Calls[9]; first.Provider != "fallback" || first.ID != 1 || last.Provider != "primary" || last.ID != 5 {
		t.Errorf("calls go from %s %d to %s %d, want fallback 1 to primary 5", first.Provider, first.ID, last.Provider, last.ID)
	}
}

// TestLimit: what there is no room for is counted to the last one, whoever
// writes at the same time, and the other records go on.
func TestLimit(t *testing.T) {
	w := create(t, t.TempDir(), 100)
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 50 {
				w.Request(request(g*50 + i + 1))
				w.Call(call("primary", int64(g*50+i+1)))
			}
		})
	}
	group.Wait()
	w.Note(hypotheses.Note{Kind: "drain", Text: "after the limit"})
	w.Health(hypotheses.Health{})
	w.Call(call("primary", 1000))
	w.End(hypotheses.End{Requests: 200})
	j := closed(t, w)
	if kept := len(j.Requests) + len(j.Calls); kept != 100 || j.Health.Evicted != 301 {
		t.Errorf("got %d kept and %d evicted, want 100 and 301", kept, j.Health.Evicted)
	}
	if len(j.Notes) != 1 || j.End.Requests != 200 {
		t.Errorf("got notes %v and end %+v, want the note and 200 requests", j.Notes, j.End)
	}
}

// TestMoved: the experiment does not change with the place of its journal.
func TestMoved(t *testing.T) {
	run, parent := aRun(), t.TempDir()
	run.Experiment.Service.Subject = hypotheses.Subject{Command: &hypotheses.Command{Run: []string{"./answers", "${port}"}, Dir: "here"}}
	w, err := journal.Create(filepath.Join(parent, "a"), run, 0)
	if err != nil {
		t.Fatal(err)
	}
	live := closed(t, w)
	if err := os.Rename(filepath.Join(parent, "a"), filepath.Join(parent, "b")); err != nil {
		t.Fatal(err)
	}
	moved := readBack(t, filepath.Join(parent, "b"))
	want, err := filepath.Abs("here")
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range []hypotheses.Journal{live, moved} {
		if got := j.Run.Experiment.Service.Subject.Command.Dir; got != want {
			t.Errorf("the folder of the command is %q, want %q", got, want)
		}
	}
}

// TestBadExperiment: what could not be judged later is not run.
func TestBadExperiment(t *testing.T) {
	run, dir := aRun(), t.TempDir()
	run.Experiment.Service.Endpoints = nil
	if _, err := journal.Create(dir, run, 0); err == nil {
		t.Error("an experiment without endpoints is no error")
	}
	if _, err := os.Stat(filepath.Join(dir, journal.File)); err == nil {
		t.Error("there is a journal of an experiment that cannot be read back")
	}
}

func TestCreateNeverWritesOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	w := create(t, dir, 0)
	fill(w)
	closed(t, w)
	before, err := os.ReadFile(filepath.Join(dir, journal.File))
	if err != nil {
		t.Fatal(err)
	}
	_, err = journal.Create(dir, aRun(), 0)
	if err == nil || !strings.Contains(err.Error(), "there is a journal already") {
		t.Errorf("got error %v, want one that says that there is a journal already", err)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, journal.File)); !bytes.Equal(before, after) {
		t.Error("the first journal was changed")
	}
}

// TestWriteError: a run goes on without its journal, and its end says why.
func TestWriteError(t *testing.T) {
	w := create(t, t.TempDir(), 0)
	w.Note(hypotheses.Note{Text: "before"})
	w.Request(hypotheses.Request{Seq: 1, Seen: map[string]any{"body": func() {}}})
	w.Request(request(2))
	j, err := w.Close()
	if err == nil || !strings.Contains(err.Error(), "write journal: request") {
		t.Errorf("got error %v, want one about writing the request", err)
	}
	if len(j.Requests) != 1 || len(j.Notes) == 0 {
		t.Errorf("got %d requests and notes %v, want what could be written", len(j.Requests), j.Notes)
	}
	if _, err := w.Close(); err == nil {
		t.Error("closing twice is no error")
	}
}

func BenchmarkCall(b *testing.B) {
	w, err := journal.Create(b.TempDir(), aRun(), 0)
	if err != nil {
		b.Fatal(err)
	}
	c := call("primary", 1)
	b.ReportAllocs()
	for b.Loop() {
		w.Call(c)
	}
	if _, err := w.Close(); err != nil {
		b.Fatal(err)
	}
}
