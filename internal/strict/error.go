package strict

import (
	"fmt"
	"strings"
)

// An Error is what is wrong with a document, and where.
type Error struct {
	File    string
	Line    int    // from 1; 0: the document as a whole
	Column  int    // from 1
	Path    string // of the value: load.phases[0]; "": the document as a whole
	Text    string // what is wrong and what was expected
	Hint    string // what to do; "": nothing to add
	Excerpt string // the line; "": not known
}

// Error is place, path and text, then the line with a caret, then the hint.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Text)
	if e.Excerpt != "" {
		fmt.Fprintf(&b, "\n    %s\n    %s^", e.Excerpt, strings.Repeat(" ", e.Column-1))
	}
	if e.Hint != "" {
		b.WriteString("\nhint: " + e.Hint)
	}
	return b.String()
}

// Near is the known name that is most like the name, or "" where none is like
// it.
func Near(name string, known []string) string {
	best, least := "", max(2, len(name)/3)+1
	for _, k := range known {
		if d := distance(name, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// DidYouMean is a hint that names the nearest known name, or all of them.
func DidYouMean(name string, known []string) string {
	if near := Near(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(known) == 0 {
		return ""
	}
	return "known are " + strings.Join(known, ", ")
}

// distance is the number of letters to insert, delete or replace (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
