package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/report"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with testdata/NAME.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it):\ngot\n%s\nwant\n%s", path, got, want)
	}
}

func write(t *testing.T, format string, v hypotheses.Verdict) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, format, v, journalOf()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) { golden(t, format, write(t, format, sample())) })
	}
	t.Run("color", func(t *testing.T) {
		var b bytes.Buffer
		if err := (report.Text{Color: true, Dir: "brownout-results/x"}).Write(&b, sample(), journalOf()); err != nil {
			t.Fatal(err)
		}
		golden(t, "color", b.String())
	})
	t.Run("empty", func(t *testing.T) {
		golden(t, "empty", write(t, "text", hypotheses.Verdict{Status: hypotheses.Inconclusive}))
	})
}

func TestUnknownFormat(t *testing.T) {
	const want = `unknown format "xml": want text, json, junit or markdown`
	for _, err := range []error{
		report.CheckFormat("xml"),
		report.Write(&bytes.Buffer{}, "xml", sample(), journalOf()),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, format := range report.Formats() {
		if err := report.CheckFormat(format); err != nil {
			t.Error(err)
		}
	}
}

// TestText: no line but those to copy is longer than a screen, and colour adds
// nothing but colour.
func TestText(t *testing.T) {
	plain := write(t, "text", sample())
	for line := range strings.Lines(plain) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	var b bytes.Buffer
	if err := (report.Text{Color: true}).Write(&b, sample(), journalOf()); err != nil {
		t.Fatal(err)
	}
	colored := b.String()
	if strings.Count(colored, "\x1b[") < 2*len(sample().Findings) {
		t.Error("not every answer is in colour")
	}
	if got := regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(colored, ""); got != plain {
		t.Errorf("without its escapes the coloured text is\n%s\nwant\n%s", got, plain)
	}
}

// TestHostileText: what the service says steers no terminal and breaks no
// format.
func TestHostileText(t *testing.T) {
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) {
			got := write(t, format, hostile())
			if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x1b\u202e") && format != "json" {
				t.Errorf("control characters or broken UTF-8 in\n%q", got)
			}
		})
	}
	var v hypotheses.Verdict
	if err := json.Unmarshal([]byte(write(t, "json", hostile())), &v); err != nil {
		t.Error(err)
	}
	parseJUnit(t, write(t, "junit", hostile()))
	for line := range strings.Lines(write(t, "markdown", hostile())) {
		if cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); strings.HasPrefix(line, "| **refuted**") && cells != 6 {
			t.Errorf("got %d bars, want 6: %s", cells, line)
		}
	}
}

// TestJSON: the verdict survives, and nothing in it is null that is a list.
func TestJSON(t *testing.T) {
	text := write(t, "json", sample())
	var v hypotheses.Verdict
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if again := write(t, "json", v); again != text {
		t.Errorf("got\n%s\nafter reading\n%s", again, text)
	}
	empty := write(t, "json", hypotheses.Verdict{Findings: []hypotheses.Finding{{}}})
	for _, key := range []string{"phases", "evidence", "faults", "by_endpoint", "histogram", "by_provider", "notes"} {
		if null := regexp.MustCompile(`"` + key + `": null`); null.MatchString(empty) || !strings.Contains(empty, `"`+key+`": `) {
			t.Errorf("%s is null or missing in\n%s", key, empty)
		}
	}
	v.DurationS = inf()
	if err := report.Write(&bytes.Buffer{}, "json", v, journalOf()); err == nil {
		t.Error("a number that JSON does not have is no error")
	}
}

type junit struct {
	Suites []struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Name    string    `xml:"name,attr"`
			Failure *problem  `xml:"failure"`
			Error   *problem  `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func parseJUnit(t *testing.T, text string) junit {
	t.Helper()
	var parsed junit
	if err := xml.Unmarshal([]byte(text), &parsed); err != nil {
		t.Fatal(err)
	}
	if len(parsed.Suites) != 1 {
		t.Fatalf("got %d suites, want 1", len(parsed.Suites))
	}
	return parsed
}

// TestJUnit: each answer has its element, and the totals add up.
func TestJUnit(t *testing.T) {
	suite := parseJUnit(t, write(t, "junit", sample())).Suites[0]
	if suite.Tests != 8 || suite.Failures != 3 || suite.Errors != 3 || suite.Skipped != 1 {
		t.Errorf("got %d tests, %d failures, %d errors, %d skipped; want 8, 3, 3, 1", suite.Tests, suite.Failures, suite.Errors, suite.Skipped)
	}
	got := []string{}
	for _, c := range suite.Cases {
		switch {
		case c.Failure != nil:
			got = append(got, "failure "+c.Failure.Type)
		case c.Error != nil:
			got = append(got, "error "+c.Error.Type)
		case c.Skipped != nil:
			got = append(got, "skipped")
		default:
			got = append(got, "passed")
		}
	}
	want := []string{"passed", "failure refuted", "failure refuted", "error too_few_samples", "error aborted", "failure refuted", "skipped", "error aborted"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if f := suite.Cases[1].Failure; f.Message != report.Line(sample().Findings[1]) || !strings.Contains(f.Text, "r-000123 ask in fault") {
		t.Errorf("got %+v, want the verdict line as message and the request below", f)
	}
	held := sample()
	held.AbortedBy = ""
	if suite := parseJUnit(t, write(t, "junit", held)).Suites[0]; suite.Tests != 7 || suite.Errors != 2 {
		t.Errorf("a run to its end: got %d tests and %d errors, want 7 and 2", suite.Tests, suite.Errors)
	}
}
