package strict

import (
	"fmt"
	"strings"
	"unicode"
)

// An Error is what is wrong with a document, and where.
type Error struct {
	File    string
	Line    int    // from 1; 0: the document as a whole
	Column  int    // from 1
	Path    string // of the value: load.phases[0]; "": the document as a whole
	Text    string // what is wrong and what was expected
	Hint    string // what to do; "": nothing to add
	Excerpt string // the line, or the part around the column, and a caret below it; "": not known
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
		b.WriteString("\n    " + strings.ReplaceAll(e.Excerpt, "\n", "\n    "))
	}
	if e.Hint != "" {
		b.WriteString("\nhint: " + e.Hint)
	}
	return b.String()
}

// excerpt is the part of the line around the column, and a caret below it.
func excerpt(line string, column int) string {
	const before, after = 70, 50
	runes := []rune(line)
	if column > len(runes)+1 {
		return ""
	}
	start, end := max(0, column-1-before), min(len(runes), column-1+after)
	if len(runes) <= before+after {
		start, end = 0, len(runes)
	}
	for i, r := range runes[start:end] {
		if !unicode.IsPrint(r) {
			runes[start+i] = ' '
		}
	}
	return strings.TrimRight(string(runes[start:end]), " ") + "\n" + strings.Repeat(" ", column-1-start) + "^"
}

// shorten leaves out the middle of a long text, so that a value of a megabyte
// does not bury what is said about it.
func shorten(s string) string {
	const side = 300
	if len(s) <= 2*side+20 {
		return s
	}
	return strings.ToValidUTF8(s[:side], "") + " [...] " + strings.ToValidUTF8(s[len(s)-side:], "")
}

// Near is the known name that is most like the name, or "" where none is like
// it.
func Near(name string, known []string) string {
	const longest = 100 // no name of ours is as long
	best, least := "", max(2, len(name)/3)+1
	if len(name) > longest {
		return ""
	}
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
