package journal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/journal"
)

// recorded is the text of a whole journal.
func recorded(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	w, err := journal.Create(dir, aRun(), 0)
	if err != nil {
		t.Fatal(err)
	}
	fill(w)
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, journal.File))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parse reads text as a journal.
func parse(t testing.TB, text string) (hypotheses.Journal, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, journal.File), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Read(dir)
	if err != nil && !strings.Contains(err.Error(), filepath.Join(dir, journal.File)) {
		t.Errorf("the error does not name the file: %v", err)
	}
	return j, err
}

// TestTorn: a kill may cut the file anywhere behind its first line.
func TestTorn(t *testing.T) {
	text := recorded(t)
	first := strings.Index(text, "\n") + 1
	for cut := first; cut < len(text)-1; cut++ {
		if cut%31 != 0 && text[cut] != '\n' && text[cut-1] != '\n' {
			continue
		}
		j, err := parse(t, text[:cut])
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		whole := text[cut-1] == '\n' || text[cut] == '\n'
		if noted(j, "is torn") == whole {
			t.Errorf("cut at %d, after %q: notes %v", cut, text[max(0, cut-20):cut], j.Notes)
		}
		if end := strings.Contains(text[:cut], `{"type":"end"`) && whole; !end && j.End.AbortedBy != journal.Killed {
			t.Errorf("cut at %d: aborted by %q, want %q", cut, j.End.AbortedBy, journal.Killed)
		}
	}
	if j, err := parse(t, text); err != nil || noted(j, "") {
		t.Errorf("the whole journal: notes %v, error %v", j.Notes, err)
	}
}

// noted reports whether reading added a note with the text.
func noted(j hypotheses.Journal, text string) bool {
	for _, n := range j.Notes {
		if n.Kind == journal.NoteKind && strings.Contains(n.Text, text) {
			return true
		}
	}
	return false
}

// TestWithoutEnd: what a killed run did not write is taken from what it did.
func TestWithoutEnd(t *testing.T) {
	text := recorded(t)
	text = text[:strings.Index(text, `{"type":"health"`)]
	text += `{"type":"request","id":"r-000006","seq":6,"planned":31,"sent":31.25,"end":32,"status":200,"outcome":"ok"}` + "\n"
	text += `{"type":"request","id":"r-000007","seq":7,"planned":31,"status":0,"outcome":"not_sent"}` + "\n"
	j, err := parse(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if j.End.AbortedBy != journal.Killed || j.End.At != 32e9 || j.End.Requests != 7 || j.End.Calls["primary"] != 5 {
		t.Errorf("got end %+v, want a kill at 32s with 7 requests and 5 calls of primary", j.End)
	}
	if j.Health.LoadLateness != 250e6 || j.Health.ProviderLateness != 17 || j.Health.NotSent != 1 {
		t.Errorf("got health %+v, want load 250ms late, providers 17ns, 1 not sent", j.Health)
	}
	if !noted(j, "no health record") {
		t.Errorf("no note says that the health was derived: %v", j.Notes)
	}
}

// TestNewerVersion: records and fields that are not known do not stop a
// reader, and records are not lost in silence.
func TestNewerVersion(t *testing.T) {
	text := recorded(t)
	end := strings.Index(text, `{"type":"end"`)
	text = text[:end] + `{"type":"mood","at":1}` + "\n" + `{"type":"mood","at":2}` + "\n" +
		`{"type":"note","at":40,"kind":"load","text":"x","colour":"blue"}` + "\n" + text[end:]
	j, err := parse(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if !noted(j, `2 records of the unknown type "mood" were skipped, the first in line 24`) {
		t.Errorf("no note says what was skipped: %v", j.Notes)
	}
	if j.End.AbortedBy != "" || j.End.Requests != 5 {
		t.Errorf("got end %+v, want the one of the file", j.End)
	}
}

func TestReadErrors(t *testing.T) {
	text := recorded(t)
	run, rest, _ := strings.Cut(text, "\n")
	run += "\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the journal is empty"},
		{"first line torn", run[:len(run)/2], "journal.jsonl:1: "},
		{"no run", rest, `journal.jsonl:1: record of type "phase": the first line, and only it, is the run`},
		{"two runs", run + run, `journal.jsonl:2: record of type "run": the first line, and only it, is the run`},
		{"no JSON inside", run + "hello\n" + rest, `journal.jsonl:2: "hello" is no record: want a JSON object with a type`},
		{"no type inside", run + "{}\n" + rest, `journal.jsonl:2: "{}" is no record`},
		{"wrong field", run + `{"type":"request","seq":"six"}` + "\n", "journal.jsonl:2: request: "},
		{"wrong health", run + `{"type":"health","not_sent":"six"}` + "\n", "journal.jsonl:2: health: "},
		{"newer form", strings.Replace(run, `"version":1`, `"version":2`, 1), `journal of version 2, want 1: read it with the tool that wrote it, "brownout test"`},
		{"bad experiment", `{"type":"run","version":1,"experiment":"colour: blue"}` + "\n", `journal.jsonl:1: run: experiment:1:1: unknown key "colour"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parse(t, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := journal.Read(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "there is no journal") {
		t.Errorf("got error %v, want one that says that there is no journal", err)
	}
}

func FuzzRead(f *testing.F) {
	text := recorded(f)
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)/2]))
	f.Add([]byte(`{"type":"run","version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		j, err := parse(t, string(text))
		if err == nil && j.Run.Experiment.Title == "" {
			t.Error("a journal without an experiment was read")
		}
	})
}
