package strict

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Encode writes v as YAML that [Decode] reads back equal. Texts are quoted as
// in JSON, so that none is taken for something else; zero fields tagged
// omitempty or omitzero are left out; keys of maps are sorted.
func Encode(v any) ([]byte, error) {
	tree, err := treeOf(reflect.ValueOf(v))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	tree.write(&b, 0)
	if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// A tree is a value on its way to YAML: a mapping, a list or a scalar.
type tree struct {
	scalar string
	keys   []string // of a mapping, as they are written; nil: not one
	items  []tree   // values of a mapping, or of a list
	list   bool
}

func treeOf(v reflect.Value) (tree, error) {
	if !v.IsValid() {
		return tree{scalar: "null"}, nil
	}
	if t, handled, err := byMethod(v); handled {
		return t, err
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return treeOf(v.Elem())
	case reflect.Struct:
		t := tree{keys: []string{}}
		return t, t.addFields(v)
	case reflect.Map:
		return mapTree(v)
	case reflect.Slice:
		t := tree{list: true}
		for i := range v.Len() {
			item, err := treeOf(v.Index(i))
			if err != nil {
				return t, err
			}
			t.items = append(t.items, item)
		}
		return t, nil
	default:
		s, err := scalarOf(v)
		return tree{scalar: s}, err
	}
}

// byMethod lets a type write itself.
func byMethod(v reflect.Value) (t tree, handled bool, err error) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return tree{}, false, nil
	}
	switch m := v.Interface().(type) {
	case interface{ MarshalYAML() (any, error) }:
		value, err := m.MarshalYAML()
		if err != nil {
			return tree{}, true, err
		}
		t, err = treeOf(reflect.ValueOf(value))
		return t, true, err
	case encoding.TextMarshaler:
		text, err := m.MarshalText()
		if err != nil {
			return tree{}, true, err
		}
		s, err := quote(string(text))
		return tree{scalar: s}, true, err
	}
	return tree{}, false, nil
}

func (t *tree) addFields(v reflect.Value) error {
	for _, f := range fieldsOf(v.Type()) {
		value, key := v.FieldByIndex(f.index), f.key
		if f.omit && value.IsZero() {
			continue
		}
		if f.oneOf != "" {
			if value.IsNil() {
				continue
			}
			key = value.Interface().(Kinder).Kind()
		}
		item, err := treeOf(value)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if key, err = keyText(key); err != nil {
			return err
		}
		t.keys, t.items = append(t.keys, key), append(t.items, item)
	}
	return nil
}

func mapTree(v reflect.Value) (tree, error) {
	t := tree{keys: []string{}}
	keys := v.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	for _, k := range keys {
		key, err := keyText(k.String())
		if err != nil {
			return t, err
		}
		item, err := treeOf(v.MapIndex(k))
		if err != nil {
			return t, fmt.Errorf("%s: %w", key, err)
		}
		t.keys, t.items = append(t.keys, key), append(t.items, item)
	}
	return t, nil
}

func scalarOf(v reflect.Value) (string, error) {
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		return v.Interface().(time.Duration).String(), nil
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10), nil
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10), nil
	case v.CanFloat():
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			return "", fmt.Errorf("%v is no number that a file can hold", v.Float())
		}
		return strconv.FormatFloat(v.Float(), 'f', -1, 64), nil
	case v.Kind() == reflect.String:
		return quote(v.String())
	default:
		return "", fmt.Errorf("a %s cannot be written to a file", v.Type())
	}
}

// quote writes a text as JSON does, without escaping <, > and &.
func quote(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("%q is no UTF-8 and cannot be written to a file", s)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return "", err
	}
	line := strings.TrimSuffix(b.String(), "\n")
	return strings.ReplaceAll(line, "\x7f", `\u007f`), nil // JSON lets it pass, YAML does not
}

// keyText is a key as it is written: plainly where it can be.
func keyText(s string) (string, error) {
	if plainKey(s) {
		return s, nil
	}
	return quote(s)
}

// plainKey reports whether a key needs no quotes: it cannot be taken for
// anything but a text.
func plainKey(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '-') {
			return false
		}
	}
	switch strings.ToLower(s) {
	case "", "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}

// write appends the tree at an indent; the first line continues the current
// one.
func (t tree) write(b *bytes.Buffer, indent int) {
	margin := "\n" + strings.Repeat(" ", indent)
	switch {
	case t.list && len(t.items) == 0:
		b.WriteString("[]")
	case t.keys != nil && len(t.keys) == 0:
		b.WriteString("{}")
	case t.list:
		for i, item := range t.items {
			if i > 0 {
				b.WriteString(margin)
			}
			b.WriteString("- ")
			item.write(b, indent+2)
		}
	case t.keys != nil:
		for i, k := range t.keys {
			if i > 0 {
				b.WriteString(margin)
			}
			b.WriteString(k + ":")
			if t.items[i].nested() {
				b.WriteString(margin + "  ")
			} else {
				b.WriteByte(' ')
			}
			t.items[i].write(b, indent+2)
		}
	default:
		b.WriteString(t.scalar)
	}
}

// nested reports whether the tree needs lines of its own.
func (t tree) nested() bool { return len(t.items) > 0 }
