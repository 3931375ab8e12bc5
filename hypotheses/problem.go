package hypotheses

import (
	"errors"
	"strings"

	"github.com/brownout-chaos/brownout/internal/expression"
	"github.com/brownout-chaos/brownout/internal/strict"
)

// A problem is what is wrong with an experiment or service, by the path of the
// value.
type problem struct{ path, text, hint string }

// Error is path, text and hint.
func (p *problem) Error() string {
	var b strings.Builder
	if p.path != "" {
		b.WriteString(p.path + ": ")
	}
	b.WriteString(p.text)
	if p.hint != "" {
		b.WriteString("\nhint: " + p.hint)
	}
	return b.String()
}

// An inText is a problem at a column of a text, counted from 1.
type inText struct {
	*problem
	column int
}

// Unwrap is the problem.
func (p *inText) Unwrap() error { return p.problem }

// below moves a problem to a place below a path.
func below(path string, err error) error {
	var p *problem
	if errors.As(err, &p) {
		p.path = path + "." + p.path
	}
	return err
}

// placed gives a problem its place in the file.
func placed(places *strict.Places, err error) error {
	var p *problem
	var in *inText
	switch {
	case errors.As(err, &in):
		return places.ErrorIn(in.path, in.column, in.hint, in.text)
	case errors.As(err, &p):
		return places.Error(p.path, p.hint, p.text)
	}
	return err
}

// problemBelow makes a problem of an error about the value at the path. Errors
// that begin with the key that is wrong, as "latency: below is 3: ..." does,
// are about the value of that key.
func problemBelow(path string, err error) error {
	p := &problem{path: path, text: err.Error()}
	for {
		key, rest, ok := leadingKey(p.text)
		if !ok {
			break
		}
		p.path += "." + key
		if p.text = strings.TrimPrefix(rest, ": "); p.text == rest {
			p.text = "it" + rest
			break
		}
	}
	var at *expression.Error
	if errors.As(err, &at) && at.Column > 0 {
		return &inText{p, at.Column}
	}
	return p
}

// leadingKey cuts a text such as "below is 3" or "where: ..." after the key.
func leadingKey(text string) (key, rest string, ok bool) {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	if end < 1 || text[0] < 'a' {
		return "", "", false
	}
	key, rest = text[:end], text[end:]
	return key, rest, strings.HasPrefix(rest, " is ") || strings.HasPrefix(rest, ": ")
}
