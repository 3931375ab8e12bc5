package report

import (
	"strings"
	"unicode/utf8"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// Line is the answer to one hypothesis on one line: status, what it says,
// value with interval, and the detail.
func Line(f hypotheses.Finding) string { return rowOf(f).line(columns{}) }

// Lines are the answers of the verdict, one line each, in aligned columns.
func Lines(v hypotheses.Verdict) []string {
	rows := rowsOf(v)
	c := columnsOf(rows)
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = r.line(c)
	}
	return lines
}

// A row is a finding in words.
type row struct{ status, says, value, detail string }

func rowsOf(v hypotheses.Verdict) []row {
	rows := make([]row, len(v.Findings))
	for i, f := range v.Findings {
		rows[i] = rowOf(f)
	}
	return rows
}

func rowOf(f hypotheses.Finding) row {
	return row{string(f.Status), oneLine(f.Says), measured(f), detail(f)}
}

// detail is the finding's own line. Where that says nothing about them, the
// number of samples or the first request to look at are added.
func detail(f hypotheses.Finding) string {
	text := oneLine(f.Detail)
	switch {
	case text == "" && f.Reason != "":
		text = count(f.Samples, "sample") + ": " + string(f.Reason)
	case text == "":
		text = count(f.Samples, "sample")
	}
	if f.Status == hypotheses.Refuted && len(f.Evidence) > 0 && !strings.Contains(text, f.Evidence[0]) {
		text += ", see " + f.Evidence[0]
	}
	return text
}

// columns are widths in characters.
type columns struct{ status, says, value int }

// mostSays keeps one long claim from pushing all values off the screen.
const mostSays = 56

func columnsOf(rows []row) columns {
	c := columns{status: len(hypotheses.Inconclusive)}
	for _, r := range rows {
		c.says = max(c.says, min(width(r.says), mostSays))
		c.value = max(c.value, width(r.value))
	}
	return c
}

func (r row) line(c columns) string { return r.head(c) + "  " + r.detail }

// head is the line without its detail.
func (r row) head(c columns) string {
	return pad(r.status, c.status) + "  " + pad(r.says, c.says) + "  " + pad(r.value, c.value)
}

func width(text string) int { return utf8.RuneCountInString(text) }

func pad(text string, to int) string {
	return text + strings.Repeat(" ", max(0, to-width(text)))
}
