package report_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/report"
)

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func content(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWriteAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for range 2 { // the same verdict may be written again
		if err := report.WriteAll(dir, "", sample(), journalOf()); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := list(t, dir), []string{"experiment.yaml", "junit.xml", "report.md", "result.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for format, name := range map[string]string{"json": "result.json", "junit": "junit.xml", "markdown": "report.md"} {
		if got, want := content(t, dir, name), write(t, format, sample()); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	yaml, err := hypotheses.Encode(journalOf().Run.Experiment)
	if err != nil {
		t.Fatal(err)
	}
	if got := content(t, dir, "experiment.yaml"); got != string(yaml) {
		t.Errorf("experiment.yaml: got\n%s\nwant\n%s", got, yaml)
	}
}

// TestNeverOver: another verdict goes beside the first, and nothing of it
// where it may not.
func TestNeverOver(t *testing.T) {
	dir := t.TempDir()
	first, second := sample(), sample()
	second.Status, second.Findings = hypotheses.Held, second.Findings[:1]
	if err := report.WriteAll(dir, "", first, journalOf()); err != nil {
		t.Fatal(err)
	}
	before := content(t, dir, "result.json")
	err := report.WriteAll(dir, "", second, journalOf())
	if err == nil || !strings.Contains(err.Error(), "result.json: it holds another result") {
		t.Errorf("got error %v, want one that names result.json", err)
	}
	for _, v := range []hypotheses.Verdict{first, second, second, first} {
		if err := report.WriteBeside(dir, v, journalOf()); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"experiment-2.yaml", "experiment.yaml", "junit-2.xml", "junit.xml", "report-2.md", "report.md", "result-2.json", "result.json"}
	if got := list(t, dir); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if content(t, dir, "result.json") != before {
		t.Error("the first result was changed")
	}
	if content(t, dir, "result-2.json") != write(t, "json", second) {
		t.Error("result-2.json is not the second result")
	}
}

// TestOtherRenderings: the same result in other words, those of an older
// version, is the same result. What is missing is written.
func TestOtherRenderings(t *testing.T) {
	dir := t.TempDir()
	if err := report.WriteAll(dir, "", sample(), journalOf()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "report.md"), []byte("older words"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "junit.xml")); err != nil {
		t.Fatal(err)
	}
	if err := report.WriteBeside(dir, sample(), journalOf()); err != nil {
		t.Fatal(err)
	}
	if got, want := list(t, dir), []string{"experiment.yaml", "junit.xml", "report.md", "result.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := content(t, dir, "report.md"); got != "older words" {
		t.Errorf("report.md was written over: %s", got)
	}
}

// TestSuffix is for callers that choose the names.
func TestSuffix(t *testing.T) {
	dir := t.TempDir()
	if err := report.WriteAll(dir, "-b", sample(), journalOf()); err != nil {
		t.Fatal(err)
	}
	if got := list(t, dir); !slices.Contains(got, "result-b.json") || len(got) != 4 {
		t.Errorf("got %v, want four files with the suffix", got)
	}
}

// TestWriteAllErrors: what cannot be written leaves no half of it behind.
func TestWriteAllErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "result.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := report.WriteAll(dir, "", sample(), journalOf()); err == nil {
		t.Error("a folder in the place of a file is no error")
	}
	broken := sample()
	broken.DurationS = inf()
	if err := report.WriteAll(dir, "-2", broken, journalOf()); err == nil {
		t.Error("a verdict that JSON cannot hold is no error")
	}
	if got := list(t, dir); len(got) != 1 {
		t.Errorf("got %v, want nothing but the folder", got)
	}
}
