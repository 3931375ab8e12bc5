package report

import (
	"bytes"
	"io"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// Text renders for a terminal: a line per hypothesis, then what was done and
// seen. Lines of more than 100 columns are broken between words, but for those
// that are there to be copied.
type Text struct {
	Color bool   // the answers in colour, by ANSI escapes
	Dir   string // where the results are; "": not said
}

const (
	screen = 100 // columns
	indent = 14  // of everything but the first column
)

// Write renders the verdict on the journal.
func (t Text) Write(w io.Writer, v hypotheses.Verdict, j hypotheses.Journal) error {
	var b bytes.Buffer
	b.WriteString(t.bold(oneLine(v.Experiment)) + "\n\n")
	t.findings(&b, v)
	b.WriteByte('\n')
	for _, f := range facts(v, j) {
		f.write(&b)
	}
	if t.Dir != "" {
		fact{label: "results", lines: []string{t.Dir}, whole: true}.write(&b)
	}
	repeat(v).write(&b)
	_, err := w.Write(b.Bytes())
	return err
}

// findings are the lines of [Lines], with the detail below where it does not
// fit beside.
func (t Text) findings(b *bytes.Buffer, v hypotheses.Verdict) {
	rows := rowsOf(v)
	c := columnsOf(rows)
	for _, r := range rows {
		line := r.line(c)
		if width(line) <= screen {
			b.WriteString(t.paint(line, r.status) + "\n")
			continue
		}
		b.WriteString(t.paint(strings.TrimRight(r.head(c), " "), r.status) + "\n")
		for _, part := range wrap(r.detail, screen-indent) {
			b.WriteString(strings.Repeat(" ", indent) + part + "\n")
		}
	}
}

func (f fact) write(b *bytes.Buffer) {
	label := f.label
	for _, line := range f.lines {
		parts := []string{line}
		if !f.whole {
			parts = wrap(line, screen-indent)
		}
		for _, part := range parts {
			b.WriteString(pad(label, indent) + part + "\n")
			label = ""
		}
	}
}

// wrap breaks text between words into lines of at most so many columns. A word
// that is longer stays whole.
func wrap(text string, columns int) []string {
	lines := []string{}
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && width(line)+1+width(word) > columns {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

func (t Text) bold(text string) string {
	if !t.Color {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// paint colours the status at the start of the line.
func (t Text) paint(line, status string) string {
	if !t.Color {
		return line
	}
	return "\x1b[" + color(hypotheses.State(status)) + "m" + status + "\x1b[0m" + line[len(status):]
}

// color is the ANSI code of an answer.
func color(s hypotheses.State) string {
	switch s {
	case hypotheses.Held:
		return "32" // green
	case hypotheses.Refuted:
		return "31" // red
	case hypotheses.Inconclusive:
		return "33" // yellow
	case hypotheses.Aborted:
		return "35" // magenta
	}
	return "2" // faint
}
