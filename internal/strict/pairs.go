package strict

import (
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A pair is a key of a mapping and its value.
type pair struct {
	key   string
	token *token.Token // of the key
	value ast.Node
}

// pairs lists a mapping in its order. A value that is left out is an empty
// mapping.
func (d *decoder) pairs(node ast.Node, path string) ([]pair, error) {
	var values []*ast.MappingValueNode
	switch n := node.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.NullNode:
		return nil, nil
	default:
		return nil, d.wants(node, path, "a mapping")
	}
	list := make([]pair, 0, len(values))
	seen := map[string]bool{}
	for _, value := range values {
		tok := value.Key.GetToken()
		if value.Key.IsMergeKey() {
			return nil, d.errorAt(tok, path, "write the keys out, or use an alias for a whole value", "merge keys are not allowed")
		}
		if !isKey(value.Key) {
			return nil, d.errorAt(tok, path, "write the key itself; anchors and aliases are for whole values", "%q is no plain key", tok.Value)
		}
		name := text(value.Key)
		if seen[name] {
			return nil, d.errorAt(tok, child(path, name), "take one of them out", "the key is there twice")
		}
		seen[name] = true
		list = append(list, pair{key: name, token: tok, value: value.Value})
	}
	return list, nil
}

// isKey reports whether the node is a key as it stands: no alias or anchor, no
// list, and none that begins with a question mark.
func isKey(node ast.Node) bool {
	switch node.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.NanNode, *ast.InfinityNode:
		return true
	}
	return false
}

// gather finds the anchors and refuses aliases that mean nothing or not one
// thing, aliases that contain themselves, and more values than the limit once
// aliases are written out.
func (d *decoder) gather(root ast.Node) error {
	var err error
	ast.Walk(visit(func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.AnchorNode:
			name := n.Name.GetToken().Value
			if _, twice := d.anchors[name]; twice && err == nil {
				err = d.errorAt(n.GetToken(), "", "give each anchor a name of its own", "the anchor %q is there twice", name)
			}
			d.anchors[name] = n.Value
		case *ast.AliasNode:
			name := n.Value.GetToken().Value
			if _, known := d.anchors[name]; !known && err == nil {
				err = d.errorAt(n.GetToken(), "", "an alias comes after its anchor", "the alias %q has no anchor before it", name)
			}
		}
		return err == nil
	}), root)
	if err != nil {
		return err
	}
	c := &counter{decoder: d, sizes: map[string]int{}, open: map[string]bool{}}
	if c.count(root); c.err != nil {
		return c.err
	}
	return nil
}

// visit is a function as a visitor.
type visit func(ast.Node) bool

// Visit is part of the parser's interface for walks.
func (f visit) Visit(node ast.Node) ast.Visitor {
	if f(node) {
		return f
	}
	return nil
}

// A counter counts the values of a document with aliases written out.
type counter struct {
	*decoder
	sizes map[string]int  // by anchor
	open  map[string]bool // anchors that are being counted
	err   error
}

func (c *counter) count(node ast.Node) int {
	if c.err != nil || node == nil {
		return 0
	}
	n := 1
	switch v := node.(type) {
	case *ast.MappingNode:
		for _, item := range v.Values {
			n += c.count(item.Value)
		}
	case *ast.MappingValueNode:
		n += c.count(v.Value)
	case *ast.SequenceNode:
		for _, item := range v.Values {
			n += c.count(item)
		}
	case *ast.AnchorNode:
		n = c.anchor(v.Name.GetToken().Value, v.Value, v.GetToken())
	case *ast.AliasNode:
		name := v.Value.GetToken().Value
		n = c.anchor(name, c.anchors[name], v.GetToken())
	}
	if n > maxNodes && c.err == nil {
		c.err = c.errorAt(firstToken(node), "", "", "with its aliases written out the file has more than %d values", maxNodes)
	}
	return n
}

func (c *counter) anchor(name string, value ast.Node, tok *token.Token) int {
	if c.open[name] {
		c.err = c.errorAt(tok, "", "", "the alias %q contains itself", name)
		return 0
	}
	if size, known := c.sizes[name]; known {
		return size
	}
	c.open[name] = true
	size := c.count(value)
	delete(c.open, name)
	c.sizes[name] = size
	return size
}

// resolve follows aliases and anchors to the value.
func (d *decoder) resolve(node ast.Node, path string) (ast.Node, error) {
	for {
		switch n := node.(type) {
		case *ast.AnchorNode:
			node = n.Value
		case *ast.AliasNode:
			node = d.anchors[n.Value.GetToken().Value]
		case nil:
			return nil, d.errorAt(d.tokens[path], path, "", "the value is missing")
		default:
			return node, nil
		}
	}
}
