package fakes

import "github.com/brownout-chaos/brownout/internal/expression"

// A condition is a compiled match.body.
type condition struct{ program *expression.Program }

// newCondition compiles an expression over the fields of a JSON body, of which
// a missing one is nil; "" is always met.
func newCondition(source string) (condition, error) {
	if source == "" {
		return condition{}, nil
	}
	program, err := expression.Compile(source, nil)
	return condition{program}, err
}

// meets evaluates the condition for a call.
func (c condition) meets(f *facts) (bool, error) {
	if c.program == nil {
		return true, nil
	}
	return c.program.Bool(f.bodyFields())
}
