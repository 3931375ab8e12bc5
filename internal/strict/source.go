package strict

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The limits of a document.
const (
	maxBytes  = 1 << 20
	maxTokens = 20_000
	maxDepth  = 32
	maxNodes  = 50_000 // with aliases expanded
)

// A source is a document with its text.
type source struct {
	name  string
	lines []string
}

// errorAt is an error at a token; nil is the document as a whole.
func (s *source) errorAt(tok *token.Token, path, hint, format string, args ...any) *Error {
	e := &Error{File: s.name, Path: path, Text: fmt.Sprintf(format, args...), Hint: hint}
	if tok == nil || tok.Position == nil {
		return e
	}
	e.Line, e.Column = max(tok.Position.Line, 1), max(tok.Position.Column, 1)
	if e.Line <= len(s.lines) {
		line := strings.TrimSuffix(s.lines[e.Line-1], "\r")
		if len(line) <= 200 && e.Column <= len(line)+1 {
			e.Excerpt = strings.ReplaceAll(line, "\t", " ")
		}
	}
	return e
}

// parse gives the one value of the document, after looking at the limits.
func (s *source) parse(data []byte) (ast.Node, error) {
	if len(data) > maxBytes {
		return nil, s.errorAt(nil, "", "", "the file has %d bytes, more than 1 MiB", len(data))
	}
	s.lines = strings.Split(string(data), "\n")
	if err := s.checkTokens(lexer.Tokenize(string(data))); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(data, 0)
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

// checkTokens counts tokens and levels: nested brackets, and block structures
// that begin further to the right.
func (s *source) checkTokens(tokens token.Tokens) error {
	if len(tokens) > maxTokens {
		return s.errorAt(nil, "", "", "the file has %d tokens, more than %d", len(tokens), maxTokens)
	}
	flow, blocks := 0, []int{}
	for i, tok := range tokens {
		switch tok.Type {
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
