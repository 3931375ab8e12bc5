package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// writeMarkdown writes the form for comments on pull requests and summaries of
// CI jobs.
func writeMarkdown(w io.Writer, v hypotheses.Verdict, j hypotheses.Journal) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## %s: %s\n\n", v.Status, escape(oneLine(v.Experiment)))
	table(&b, []string{"answer", "hypothesis", "value", "samples", "detail"}, findingCells(v))
	if len(v.Faults) > 0 {
		b.WriteString("\n### Faults\n\n")
		table(&b, []string{"fault", "kind", "to", "planned", "matched", "fired", "requests reached", "late"}, faultCells(v.Faults))
	}
	b.WriteString("\n### Run\n\n")
	cells := [][]string{}
	for _, f := range facts(v, j) {
		if f.label != "faults" { // they have their table
			cells = appendFact(cells, f)
		}
	}
	table(&b, []string{"", ""}, cells)
	for _, command := range repeat(v).lines {
		fmt.Fprintf(&b, "\nRun again:\n\n    %s\n", command)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func findingCells(v hypotheses.Verdict) [][]string {
	cells := [][]string{}
	for i, r := range rowsOf(v) {
		status := r.status
		if hypotheses.State(status) != hypotheses.Held {
			status = "**" + status + "**"
		}
		cells = append(cells, []string{status, escape(r.says), escape(r.value), strconv.Itoa(v.Findings[i].Samples), escape(r.detail)})
	}
	return cells
}

func faultCells(list []hypotheses.FaultReport) [][]string {
	cells := [][]string{}
	for _, f := range list {
		planned := unknown
		if f.Planned != nil {
			planned = share(*f.Planned)
		}
		cells = append(cells, []string{
			escape(oneLine(f.Name)), escape(f.Kind), escape(f.To), planned,
			strconv.Itoa(f.Matched), strconv.Itoa(f.Fired), strconv.Itoa(f.RequestsReached), strconv.Itoa(f.Late),
		})
	}
	return cells
}

func appendFact(cells [][]string, f fact) [][]string {
	if len(f.lines) == 0 {
		return cells
	}
	lines := make([]string, len(f.lines))
	for i, line := range f.lines {
		lines[i] = escape(line)
	}
	return append(cells, []string{f.label, strings.Join(lines, "<br>")})
}

func table(b *bytes.Buffer, head []string, rows [][]string) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
	for _, cells := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

// escape makes text mean itself: no markup, no HTML, no end of a cell.
func escape(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`,
		"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "#", "&#35;",
	).Replace(text)
}
