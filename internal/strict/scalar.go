package strict

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// scalar reports whether the node is a single value.
func scalar(node ast.Node) bool {
	_, ok := node.(ast.ScalarNode)
	return ok
}

// text is a single value as it was written.
func text(node ast.Node) string {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	default:
		return n.GetToken().Value
	}
}

// shape names what a node is, for errors.
func shape(node ast.Node) string {
	switch node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	default:
		return strconv.Quote(text(node))
	}
}

// scalar fills a bool, number, text or time.
func (d *decoder) scalar(node ast.Node, v reflect.Value, path string) error {
	want := wanted(v)
	if !scalar(node) || node.Type() == ast.NullType {
		return d.wants(node, path, want)
	}
	if number := v.CanInt() || v.CanUint() || v.CanFloat(); number && !isTime(v) && quoted(node) {
		return d.errorAt(firstToken(node), path, "take the quotes away", "want %s, got the text %q", want, text(node))
	}
	if err := set(node, v); err != nil {
		return d.errorAt(firstToken(node), path, "", "%s", err)
	}
	return nil
}

// quoted reports whether the node is a text by its form.
func quoted(node ast.Node) bool {
	switch node.GetToken().Type {
	case token.SingleQuoteType, token.DoubleQuoteType, token.LiteralType, token.FoldedType:
		return true
	}
	return false
}

func isTime(v reflect.Value) bool { return v.Type() == reflect.TypeFor[time.Duration]() }

func wanted(v reflect.Value) string {
	switch {
	case isTime(v):
		return "a time with its unit, such as 2s or 500ms"
	case v.Kind() == reflect.Bool:
		return "true or false"
	case v.CanInt(), v.CanUint():
		return "a whole number"
	case v.CanFloat():
		return "a number"
	default:
		return "a text"
	}
}

func set(node ast.Node, v reflect.Value) error {
	s := text(node)
	if isTime(v) {
		return setTime(s, v)
	}
	switch {
	case v.Kind() == reflect.Bool:
		b, ok := node.(*ast.BoolNode)
		if !ok {
			return fmt.Errorf("want true or false, got %q", s)
		}
		v.SetBool(b.Value)
	case v.CanInt():
		n, err := strconv.ParseInt(s, 10, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("want a whole number, got %q", s)
		}
		v.SetInt(n)
	case v.CanUint():
		n, err := strconv.ParseUint(s, 10, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("want a whole number of 0 or more, got %q", s)
		}
		v.SetUint(n)
	case v.CanFloat():
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("want a number, got %q", s)
		}
		v.SetFloat(f)
	case v.Kind() == reflect.String:
		v.SetString(s)
	default:
		return fmt.Errorf("a %s cannot be read from a file", v.Type())
	}
	return nil
}

func setTime(s string, v reflect.Value) error {
	t, err := time.ParseDuration(s)
	if _, bare := strconv.ParseFloat(s, 64); bare == nil {
		return fmt.Errorf("%q has no unit: write %ss, %sms or %sm", s, s, s, s)
	}
	if err != nil {
		return fmt.Errorf("want a time with its unit, such as 2s or 500ms, got %q", s)
	}
	v.SetInt(int64(t))
	return nil
}

// anything fills an empty interface: mapping, list, text, number, bool or nil.
func (d *decoder) anything(node ast.Node, v reflect.Value, path string) error {
	var into reflect.Value
	switch n := node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		into = reflect.ValueOf(&map[string]any{}).Elem()
	case *ast.SequenceNode:
		into = reflect.ValueOf(&[]any{}).Elem()
	case *ast.BoolNode:
		v.Set(reflect.ValueOf(n.Value))
		return nil
	case *ast.IntegerNode, *ast.FloatNode:
		into = reflect.ValueOf(new(float64)).Elem()
		if set(node, into) != nil { // another notation, such as 0x1F
			into = reflect.ValueOf(new(string)).Elem()
		}
	case *ast.NullNode:
		return nil
	default:
		into = reflect.ValueOf(new(string)).Elem()
	}
	if err := d.value(node, into, path); err != nil {
		return err
	}
	v.Set(into)
	return nil
}
