package strict

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxBytes is the most that a document may have.
const MaxBytes = 1 << 20

// The other limits of a document.
const (
	maxTokens = 20_000
	maxDepth  = 32
	maxNodes  = 50_000 // with aliases written out
	maxBlank  = 100    // lines in a row; the lexer takes the square of their number
)

// A source is a document with its text.
type source struct {
	name  string
	lines []string
}

// errorAt is an error at a token; nil is the document as a whole.
func (s *source) errorAt(tok *token.Token, path, hint, format string, args ...any) *Error {
	if tok == nil || tok.Position == nil {
		return s.errorIn(0, 0, path, hint, format, args...)
	}
	return s.errorIn(max(tok.Position.Line, 1), max(tok.Position.Column, 1), path, hint, format, args...)
}

// errorIn is an error at a line and column, counted from 1.
func (s *source) errorIn(line, column int, path, hint, format string, args ...any) *Error {
	e := &Error{
		File: s.name, Line: line, Column: column, Hint: hint,
		Path: shorten(path), Text: shorten(fmt.Sprintf(format, args...)),
	}
	if line > 0 && line <= len(s.lines) {
		e.Excerpt = excerpt(s.lines[line-1], column)
	}
	return e
}

// parse gives the one value of the document, after looking at the limits.
func (s *source) parse(data []byte) (ast.Node, error) {
	if len(data) > MaxBytes {
		return nil, s.errorAt(nil, "", "", "the file has more than 1 MiB")
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	s.lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	if err := s.checkLines(); err != nil {
		return nil, err
	}
	tokens := lexer.Tokenize(text)
	if err := s.checkTokens(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()) // pairs finds them, in its own words
	if err != nil {
		return nil, s.syntaxError(err)
	}
	var value ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.NullType {
			continue
		}
		if value != nil {
			return nil, s.errorAt(firstToken(doc.Body), "", "keep one document per file", "a second document begins here")
		}
		value = doc.Body
	}
	if value == nil {
		return nil, s.errorAt(nil, "", "", "the file is empty")
	}
	return value, nil
}

// checkLines refuses what is no text, and long runs of empty lines.
func (s *source) checkLines() error {
	blank := 0
	for i, line := range s.lines {
		column := 0
		for at, r := range line {
			column++
			_, size := utf8.DecodeRuneInString(line[at:])
			switch {
			case r == utf8.RuneError && size == 1:
				return s.errorIn(i+1, column, "", "save the file as UTF-8", "the byte %#x is no UTF-8", line[at])
			case r < ' ' && r != '\t', r == 0x7f:
				return s.errorIn(i+1, column, "", `write it as an escape between double quotes, such as "\x1b"`, "the control character %U", r)
			}
		}
		if blank++; strings.TrimSpace(line) != "" {
			blank = 0
		}
		if blank > maxBlank {
			return s.errorIn(i+1, 1, "", "", "more than %d empty lines in a row", maxBlank)
		}
	}
	return nil
}

// checkTokens counts tokens and levels (nested brackets, and block structures
// that begin further to the right), and refuses what is no plain YAML.
func (s *source) checkTokens(tokens token.Tokens) error {
	if len(tokens) > maxTokens {
		return s.errorAt(nil, "", "", "the file has %d tokens, more than %d", len(tokens), maxTokens)
	}
	flow, blocks := 0, []int{}
	for i, tok := range tokens {
		switch tok.Type {
		case token.TagType:
			return s.errorAt(tok, "", "", "tags such as %s are not allowed", tok.Value)
		case token.DirectiveType:
			return s.errorAt(tok, "", "take the line out", "directives are not allowed")
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType:
			blocks = enter(blocks, tok.Position.Column)
		case token.MappingValueType:
			if flow == 0 && i > 0 {
				blocks = enter(blocks, tokens[i-1].Position.Column)
			}
		}
		if flow+len(blocks) > maxDepth {
			return s.errorAt(tok, "", "", "more than %d levels of nesting", maxDepth)
		}
	}
	return nil
}

// enter is the stack of columns after a block structure at column.
func enter(blocks []int, column int) []int {
	for len(blocks) > 0 && blocks[len(blocks)-1] > column {
		blocks = blocks[:len(blocks)-1]
	}
	if len(blocks) > 0 && blocks[len(blocks)-1] == column {
		return blocks
	}
	return append(blocks, column)
}

// syntaxError keeps the parser's place and words.
func (s *source) syntaxError(err error) error {
	if at, ok := err.(interface {
		GetToken() *token.Token
		GetMessage() string
	}); ok {
		return s.errorAt(at.GetToken(), "", "", "%s", at.GetMessage())
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return s.errorAt(nil, "", "", "%s", text)
}

// firstToken is where a value begins: of a mapping its first key, since its
// own token is a colon.
func firstToken(node ast.Node) *token.Token {
	switch n := node.(type) {
	case *ast.MappingNode:
		if len(n.Values) > 0 && !n.IsFlowStyle {
			return n.Values[0].Key.GetToken()
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return node.GetToken()
}
