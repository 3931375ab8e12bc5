package expression

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// getter is the name of the function that stands for member access in
// compiled programs. No expression can spell it.
const getter = "member of"

// nilSafe turns every access to a member into a call of get.
type nilSafe struct{}

// Visit is part of the compiler's interface for patches.
func (nilSafe) Visit(node *ast.Node) {
	member, ok := (*node).(*ast.MemberNode)
	if !ok || member.Method {
		return
	}
	ast.Patch(node, &ast.CallNode{
		Callee:    &ast.IdentifierNode{Value: getter},
		Arguments: []ast.Node{member.Node, member.Property},
	})
}

// get is the member of a value under a key, or nil where there is none.
func get(params ...any) (any, error) {
	value, key := reflect.ValueOf(params[0]), params[1]
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	switch value.Kind() {
	case reflect.Map:
		return fromMap(value, fmt.Sprint(key)), nil
	case reflect.Slice, reflect.Array:
		return fromList(value, key), nil
	default:
		return nil, nil
	}
}

// fromMap finds the key as it is, or in lower case in a map of texts: header
// names are kept in lower case.
func fromMap(m reflect.Value, key string) any {
	if m.Type().Key().Kind() != reflect.String {
		return nil
	}
	item := m.MapIndex(reflect.ValueOf(key).Convert(m.Type().Key()))
	if !item.IsValid() && m.Type().Elem().Kind() == reflect.String {
		item = m.MapIndex(reflect.ValueOf(strings.ToLower(key)).Convert(m.Type().Key()))
	}
	if !item.IsValid() {
		return nil
	}
	return item.Interface()
}

func fromList(list reflect.Value, key any) any {
	n := reflect.ValueOf(key)
	if !n.CanInt() {
		return nil
	}
	i := int(n.Int())
	if i < 0 {
		i += list.Len()
	}
	if i < 0 || i >= list.Len() {
		return nil
	}
	return list.Index(i).Interface()
}

// whole is the place where the expression reads $env, the map of all
// variables, or nil. What it reads of them could not be told from its text.
func whole(tree ast.Node) ast.Node {
	seen := &chains{inner: map[ast.Node]bool{}}
	ast.Walk(&tree, seen)
	for _, node := range seen.nodes {
		if id, ok := node.(*ast.IdentifierNode); ok && id.Value == "$env" {
			return node
		}
	}
	return nil
}

// members lists the variables of env that the tree reads, and the paths it
// reads of them.
func members(tree ast.Node, env map[string]any) (names, paths []string) {
	seen := &chains{inner: map[ast.Node]bool{}}
	ast.Walk(&tree, seen)
	for _, node := range seen.nodes {
		if seen.inner[node] {
			continue
		}
		path, static := chain(node)
		if len(path) == 0 {
			continue
		}
		if _, known := env[path[0]]; !known && env != nil {
			continue
		}
		names = append(names, path[0])
		if !static {
			path = path[:1]
		}
		paths = append(paths, strings.Join(path, "."))
	}
	slices.Sort(names)
	slices.Sort(paths)
	return slices.Compact(names), slices.Compact(paths)
}

// chains collects variables and member accesses, and which of them are only
// the inner part of a longer chain.
type chains struct {
	nodes []ast.Node
	inner map[ast.Node]bool
}

// Visit is part of the parser's interface for walks.
func (c *chains) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		c.nodes = append(c.nodes, n)
	case *ast.MemberNode:
		c.nodes = append(c.nodes, n)
		c.inner[n.Node] = true
	case *ast.ChainNode:
		c.nodes = append(c.nodes, n)
		c.inner[n.Node] = true
	}
}

// chain is the path of a chain of member accesses, such as body.items.0.id. It
// is not static where a key is computed; the path is empty where the chain
// does not begin with a variable.
func chain(node ast.Node) (path []string, static bool) {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return []string{n.Value}, true
	case *ast.ChainNode:
		return chain(n.Node)
	case *ast.MemberNode:
		path, static = chain(n.Node)
		key, fixed := fixedKey(n.Property)
		if len(path) > 0 && path[0] == "header" {
			key = strings.ToLower(key)
		}
		return append(path, key), static && fixed
	default:
		return nil, false
	}
}

// fixedKey is a key that is written in the expression. One with a dot in it
// could not be told from two keys in a path.
func fixedKey(node ast.Node) (string, bool) {
	switch k := node.(type) {
	case *ast.StringNode:
		return k.Value, !strings.Contains(k.Value, ".")
	case *ast.IntegerNode:
		return strconv.Itoa(k.Value), k.Value >= 0
	default:
		return "", false
	}
}

// onlyKnownCalls refuses calls of functions that are not built in. In an open
// environment the compiler would take them for fields that will come.
func onlyKnownCalls(tree ast.Node) error {
	calls := &unknownCalls{}
	ast.Walk(&tree, calls)
	if calls.first == nil {
		return nil
	}
	return calls.first
}

type unknownCalls struct{ first *Error }

// Visit is part of the parser's interface for walks.
func (u *unknownCalls) Visit(node *ast.Node) {
	call, ok := (*node).(*ast.CallNode)
	if !ok || u.first != nil {
		return
	}
	if name, ok := call.Callee.(*ast.IdentifierNode); ok {
		u.first = &Error{Column: name.Location().From + 1, Text: fmt.Sprintf("unknown function %s", name.Value)}
	}
}
