package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// maxSource bounds the text of an expression, maxNodes its parsed form.
const (
	maxSource = 4096
	maxNodes  = 1000
)

// A Program is a compiled expression.
type Program struct {
	source string
	vm     *vm.Program
	names  []string
	paths  []string
}

// An Error is an expression that does not compile.
type Error struct {
	Column int // where, counted from 1 in the text of the expression; 0: unknown
	Text   string
}

// Error is the compiler's words.
func (e *Error) Error() string { return e.Text }

// Compile compiles the expression. The environment has an example of every
// variable: it fixes their names and types; nil stands for any value. A nil
// environment is open: any name may be read, and one that is not there is nil.
// The error is an [*Error].
func Compile(source string, env map[string]any) (*Program, error) {
	if len(source) > maxSource {
		return nil, &Error{Text: fmt.Sprintf("the expression has %d bytes, more than %d", len(source), maxSource)}
	}
	tree, err := parser.Parse(source)
	if err != nil {
		return nil, asError(err)
	}
	if at := whole(tree.Node); at != nil {
		return nil, &Error{Column: at.Location().From + 1, Text: "$env is not known: name the variable itself"}
	}
	scope := expr.Env(typesOf(env))
	if env == nil {
		scope = expr.AllowUndefinedVariables()
		if err := onlyKnownCalls(tree.Node); err != nil {
			return nil, err
		}
	}
	program, err := expr.Compile(source, scope, expr.MaxNodes(maxNodes), expr.Function(getter, get), expr.Patch(nilSafe{}))
	if err != nil {
		return nil, asError(err)
	}
	names, paths := members(tree.Node, env)
	return &Program{source: source, vm: program, names: names, paths: paths}, nil
}

func asError(err error) *Error {
	var at *file.Error
	if errors.As(err, &at) {
		return &Error{Column: at.Column + 1, Text: at.Message}
	}
	return &Error{Text: firstLine(err.Error())}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// String is the text of the expression.
func (p *Program) String() string { return p.source }

// Names are the variables that the expression reads, sorted.
func (p *Program) Names() []string { return p.names }

// Paths are the members that the expression reads, sorted: body.degraded,
// header.x-cache, body.items.0.id. Of a variable that is read as a whole, or
// by a name that is computed, the path is the variable's name.
func (p *Program) Paths() []string { return p.paths }

// Value evaluates the expression.
func (p *Program) Value(env map[string]any) (any, error) {
	value, err := expr.Run(p.vm, env)
	if err != nil {
		return nil, fmt.Errorf("expression %q: %s", p.source, asError(err).Text)
	}
	return value, nil
}

// Bool evaluates the expression as a condition. Nil counts as false; any
// other value that is no bool is an error.
func (p *Program) Bool(env map[string]any) (bool, error) {
	value, err := p.Value(env)
	if err != nil || value == nil {
		return false, err
	}
	yes, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("expression %q: it is a %T, want true or false", p.source, value)
	}
	return yes, nil
}
