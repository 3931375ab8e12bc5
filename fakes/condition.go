package fakes

import (
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"github.com/brownout-chaos/brownout/internal/expression"
)

// A condition is a compiled match.body.
type condition struct{ program *expression.Program }

// newCondition compiles an expression over the fields of a JSON body; "" is
// always met. Which fields there are is not known before a call comes, so
// every variable is allowed and one that is missing is nil.
func newCondition(source string) (condition, error) {
	if source == "" {
		return condition{}, nil
	}
	program, err := expression.Compile(source, variables(source))
	return condition{program}, err
}

// meets evaluates the condition for a call.
func (c condition) meets(f *facts) (bool, error) {
	if c.program == nil {
		return true, nil
	}
	return c.program.Bool(f.bodyFields())
}

// variables names the variables of an expression, each with an example that
// stands for any value.
func variables(source string) map[string]any {
	found := names{read: map[string]any{}, own: map[string]bool{}}
	tree, err := parser.Parse(source)
	if err != nil {
		return nil // compiling tells the same error in better words
	}
	ast.Walk(&tree.Node, &found)
	for name := range found.own {
		delete(found.read, name)
	}
	return found.read
}

// names are the names that an expression reads, and those that are its own:
// functions and let.
type names struct {
	read map[string]any
	own  map[string]bool
}

// Visit is part of the parser's interface for walks.
func (n *names) Visit(node *ast.Node) {
	switch v := (*node).(type) {
	case *ast.IdentifierNode:
		n.read[v.Value] = new(any)
	case *ast.VariableDeclaratorNode:
		n.own[v.Name] = true
	case *ast.CallNode:
		if callee, ok := v.Callee.(*ast.IdentifierNode); ok {
			n.own[callee.Value] = true
		}
	}
}
