package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// A format is a way to render a verdict.
type format struct {
	name  string
	write func(io.Writer, hypotheses.Verdict, hypotheses.Journal) error
}

// formats lists every format. A new one is a file and a line here.
func formats() []format {
	return []format{
		{"text", Text{}.Write},
		{"json", writeJSON},
		{"junit", writeJUnit},
		{"markdown", writeMarkdown},
	}
}

// Formats are the names that [Write] knows.
func Formats() []string {
	names := []string{}
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// CheckFormat is an error that names the formats, unless there is one of this
// name.
func CheckFormat(name string) error {
	if names := Formats(); !slices.Contains(names, name) {
		last := len(names) - 1
		return fmt.Errorf("unknown format %q: want %s or %s", name, strings.Join(names[:last], ", "), names[last])
	}
	return nil
}

// Write renders the verdict on the journal.
func Write(w io.Writer, format string, v hypotheses.Verdict, j hypotheses.Journal) error {
	for _, f := range formats() {
		if f.name == format {
			return f.write(w, v, j)
		}
	}
	return CheckFormat(format)
}
