package strict

import (
	"reflect"
	"sort"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// A field is a struct field with its key. Fields of embedded structs count as
// the outer struct's own.
type field struct {
	key   string
	oneOf string // name of the catalogue, for fields that are one of many
	omit  bool   // left out by Encode when zero
	index []int
}

func fieldsOf(t reflect.Type) []field {
	list := []field{}
	for i := range t.NumField() {
		f := t.Field(i)
		key, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		oneOf := f.Tag.Get("oneof")
		switch {
		case !f.IsExported(), key == "-" && oneOf == "":
			continue
		case rest == "inline":
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				list = append(list, inner)
			}
			continue
		case key == "":
			key = f.Name
		}
		omit := strings.Contains(rest, "omitempty") || strings.Contains(rest, "omitzero")
		list = append(list, field{key: key, oneOf: oneOf, omit: omit, index: []int{i}})
	}
	return list
}

// structure fills a struct from a mapping. Keys that are no field must be the
// one key of a catalogue.
func (d *decoder) structure(node ast.Node, v reflect.Value, path string) error {
	pairs, err := d.pairs(node, path)
	if err != nil {
		return err
	}
	fields := fieldsOf(v.Type())
	filled := map[string]string{} // key that filled a oneof, by catalogue
	for _, p := range pairs {
		at := child(path, p.key)
		d.tokens[at] = p.token
		if f, ok := plainField(fields, p.key); ok {
			if err := d.value(p.value, v.FieldByIndex(f.index), at); err != nil {
				return err
			}
			continue
		}
		f, zero := d.oneOfField(fields, p.key)
		if zero == nil {
			known := d.keys(fields)
			return d.errorAt(p.token, path, DidYouMean(p.key, known), "unknown key %q", p.key)
		}
		if other, twice := filled[f.oneOf]; twice {
			return d.errorAt(p.token, path, "make two entries of them", "%q beside %q: want exactly one %s", p.key, other, f.oneOf)
		}
		filled[f.oneOf] = p.key
		value := reflect.New(reflect.TypeOf(zero)).Elem()
		if err := d.value(p.value, value, at); err != nil {
			return err
		}
		v.FieldByIndex(f.index).Set(value)
	}
	return d.complete(node, fields, filled, path)
}

// complete refuses a mapping that names nothing of a catalogue.
func (d *decoder) complete(node ast.Node, fields []field, filled map[string]string, path string) error {
	for _, f := range fields {
		if f.oneOf == "" || filled[f.oneOf] != "" {
			continue
		}
		kinds := []string{}
		for _, zero := range d.options.OneOf[f.oneOf] {
			kinds = append(kinds, zero.Kind())
		}
		return d.errorAt(firstToken(node), path, "name one of "+strings.Join(kinds, ", "), "the %s is missing", f.oneOf)
	}
	return nil
}

func plainField(fields []field, key string) (field, bool) {
	for _, f := range fields {
		if f.oneOf == "" && f.key == key {
			return f, true
		}
	}
	return field{}, false
}

// oneOfField finds the catalogue that has the key.
func (d *decoder) oneOfField(fields []field, key string) (field, Kinder) {
	for _, f := range fields {
		for _, zero := range d.options.OneOf[f.oneOf] {
			if f.oneOf != "" && zero.Kind() == key {
				return f, zero
			}
		}
	}
	return field{}, nil
}

// keys lists every key that a struct takes, sorted.
func (d *decoder) keys(fields []field) []string {
	keys := []string{}
	for _, f := range fields {
		if f.oneOf == "" {
			keys = append(keys, f.key)
			continue
		}
		for _, zero := range d.options.OneOf[f.oneOf] {
			keys = append(keys, zero.Kind())
		}
	}
	sort.Strings(keys)
	return keys
}
