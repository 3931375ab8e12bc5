package strict

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Options are what [Decode] must know about the types it fills.
type Options struct {
	// OneOf lists, for each name in a oneof tag, the zero values of the types
	// that may stand there. Their Kind is their key.
	OneOf map[string][]Kinder
	// Text reads a scalar where a struct of the type is expected, such as the
	// path of a file instead of its content. It returns a value of the type.
	Text map[reflect.Type]func(text string) (any, error)
}

// A Kinder is a value of a catalogue: Kind is its key.
type Kinder interface{ Kind() string }

// Catalogue makes a list for [Options] of the zero values of any catalogue.
func Catalogue[T Kinder](values []T) []Kinder {
	list := make([]Kinder, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

// Decode reads the document named name into v, a non-nil pointer. The places
// tell where each value stood, for what is found wrong later. The error is an
// [*Error] unless a function of the options gave another one.
func Decode(name string, data []byte, v any, options Options) (*Places, error) {
	d := &decoder{source: source{name: name}, options: options, anchors: map[string]ast.Node{}, tokens: map[string]*token.Token{}}
	places := &Places{source: &d.source, tokens: d.tokens}
	node, err := d.parse(data)
	if err != nil {
		return places, err
	}
	if err := d.gather(node); err != nil {
		return places, err
	}
	return places, d.value(node, reflect.ValueOf(v).Elem(), "")
}

type decoder struct {
	source
	options Options
	anchors map[string]ast.Node
	tokens  map[string]*token.Token // by path
}

// Places remembers where the values of a document stood.
type Places struct {
	source *source
	tokens map[string]*token.Token
}

// Error is an error at the value with the path, or at the nearest value that
// contains it.
func (p *Places) Error(path, hint, text string) *Error {
	at := path
	for {
		if tok, ok := p.tokens[at]; ok {
			return p.source.errorAt(tok, path, hint, "%s", text)
		}
		if at == "" {
			return p.source.errorAt(nil, path, hint, "%s", text)
		}
		at = parent(at)
	}
}

// ErrorIn is [Places.Error] at a column, from 1, of the text that the value
// is. Where the text is written in another form than it reads, with escapes or
// over several lines, the error is at its start.
func (p *Places) ErrorIn(path string, column int, hint, text string) *Error {
	e := p.Error(path, hint, text)
	tok := p.tokens[path]
	if tok == nil || e.Line < 1 || e.Line > len(p.source.lines) {
		return e
	}
	line := []rune(p.source.lines[e.Line-1])
	from := min(e.Column-1, len(line))
	for range 2 { // as it stands, or after a quote
		if strings.HasPrefix(string(line[from:]), tok.Value) {
			return p.source.errorIn(e.Line, from+column, path, hint, "%s", text)
		}
		from = min(from+1, len(line))
	}
	return e
}

// parent is the path of the value that contains the one at path.
func parent(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}

func child(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// value fills v from the node.
func (d *decoder) value(node ast.Node, v reflect.Value, path string) error {
	node, err := d.resolve(node, path)
	if err != nil {
		return err
	}
	if _, known := d.tokens[path]; !known || scalar(node) {
		d.tokens[path] = firstToken(node)
	}
	if v.CanAddr() && v.Kind() != reflect.Pointer {
		if handled, err := d.byMethod(node, v, path); handled {
			return err
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		inner := reflect.New(v.Type().Elem())
		if err := d.value(node, inner.Elem(), path); err != nil {
			return err
		}
		v.Set(inner)
		return nil
	case reflect.Struct:
		return d.structure(node, v, path)
	case reflect.Map:
		return d.mapping(node, v, path)
	case reflect.Slice:
		return d.sequence(node, v, path)
	case reflect.Interface:
		return d.anything(node, v, path)
	default:
		return d.scalar(node, v, path)
	}
}

// byMethod lets the type read itself where it can.
func (d *decoder) byMethod(node ast.Node, v reflect.Value, path string) (handled bool, err error) {
	if read, ok := d.options.Text[v.Type()]; ok && scalar(node) {
		value, err := read(text(node))
		if err != nil {
			return true, d.wrap(node, path, err)
		}
		v.Set(reflect.ValueOf(value))
		return true, nil
	}
	switch u := v.Addr().Interface().(type) {
	case interface{ UnmarshalYAML(func(any) error) error }:
		err := u.UnmarshalYAML(func(into any) error { return d.value(node, reflect.ValueOf(into).Elem(), path) })
		return true, d.wrap(node, path, err)
	case interface{ UnmarshalText([]byte) error }:
		if !scalar(node) || node.Type() == ast.NullType {
			return true, d.wants(node, path, "a single value")
		}
		return true, d.wrap(node, path, u.UnmarshalText([]byte(text(node))))
	}
	return false, nil
}

// wrap gives an error of a type's own method its place. An error that has one
// keeps it.
func (d *decoder) wrap(node ast.Node, path string, err error) error {
	var placed *Error
	if err == nil || errors.As(err, &placed) {
		return err
	}
	return d.errorAt(firstToken(node), path, "", "%s", err)
}

// wants is the error of a node of the wrong shape.
func (d *decoder) wants(node ast.Node, path, what string) error {
	return d.errorAt(firstToken(node), path, "", "want %s, got %s", what, shape(node))
}

func (d *decoder) sequence(node ast.Node, v reflect.Value, path string) error {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return d.wants(node, path, "a list")
	}
	out := reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values))
	for i, item := range list.Values {
		if err := d.value(item, out.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	v.Set(out)
	return nil
}

func (d *decoder) mapping(node ast.Node, v reflect.Value, path string) error {
	pairs, err := d.pairs(node, path)
	if err != nil {
		return err
	}
	out := reflect.MakeMapWithSize(v.Type(), len(pairs))
	for _, p := range pairs {
		item := reflect.New(v.Type().Elem()).Elem()
		at := child(path, p.key)
		d.tokens[at] = p.token
		if err := d.value(p.value, item, at); err != nil {
			return err
		}
		out.SetMapIndex(reflect.ValueOf(p.key).Convert(v.Type().Key()), item)
	}
	v.Set(out)
	return nil
}
