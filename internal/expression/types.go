package expression

import (
	"reflect"

	"github.com/expr-lang/expr/checker/nature"
	"github.com/expr-lang/expr/types"
)

// typesOf are the types of the examples.
func typesOf(env map[string]any) types.Map {
	known := types.Map{}
	for name, example := range env {
		known[name] = types.TypeOf(example)
		if example == nil {
			known[name] = anything{}
		}
	}
	return known
}

// anything is the type of a variable whose example is nil. The library's own
// type for it allows less: neither "x" in body nor body[0:2].
type anything struct{}

// Nature is that of an empty interface.
func (anything) Nature() nature.Nature { return nature.FromType(reflect.TypeFor[any]()) }

// Equal is true: it is every type.
func (anything) Equal(types.Type) bool { return true }

// String is "any".
func (anything) String() string { return "any" }
