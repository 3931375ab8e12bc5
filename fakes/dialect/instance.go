package dialect

import (
	"encoding/json"
	"math"
	"strings"
)

// Bounds on schemas that refer to themselves or ask for a lot: beyond them the
// instance is cut short, with null for what is missing.
const (
	maxSchemaDepth = 16
	maxInstance    = 16 << 10 // bytes
)

// Instance is the smallest JSON value that a JSON Schema accepts: required
// properties only, in their order, the first value of an enum, the shortest
// string and array, the number nearest to zero. It knows the keywords that
// providers accept for structured output; pattern, format, not and if are not
// among them. A schema that does not parse has the instance {}.
func Instance(schema json.RawMessage) json.RawMessage {
	root := schemaNode{}
	if json.Unmarshal(schema, &root) != nil {
		return json.RawMessage("{}")
	}
	out := &strings.Builder{}
	instance{root: schema, out: out}.write(root, 0)
	return json.RawMessage(out.String())
}

type schemaNode struct {
	Ref       string                `json:"$ref"`
	Type      schemaTypes           `json:"type"`
	Enum      []json.RawMessage     `json:"enum"`
	Const     json.RawMessage       `json:"const"`
	AnyOf     []schemaNode          `json:"anyOf"`
	OneOf     []schemaNode          `json:"oneOf"`
	AllOf     []schemaNode          `json:"allOf"`
	Props     map[string]schemaNode `json:"properties"`
	Required  []string              `json:"required"`
	Items     *schemaNode           `json:"items"`
	MinItems  int                   `json:"minItems"`
	MinLength int                   `json:"minLength"`
	Minimum   *float64              `json:"minimum"`
	Above     *float64              `json:"exclusiveMinimum"`
	Maximum   *float64              `json:"maximum"`
	Below     *float64              `json:"exclusiveMaximum"`
	Multiple  float64               `json:"multipleOf"`
}

// schemaTypes reads "string" as well as ["string", "null"].
type schemaTypes []string

func (t *schemaTypes) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*t = make([]string, 1)
		return json.Unmarshal(data, &(*t)[0])
	}
	return json.Unmarshal(data, (*[]string)(t))
}

type instance struct {
	root json.RawMessage
	out  *strings.Builder
}

func (w instance) write(n schemaNode, depth int) {
	if depth > maxSchemaDepth || w.out.Len() > maxInstance {
		w.out.WriteString("null")
		return
	}
	switch {
	case n.Ref != "":
		w.write(w.resolve(n.Ref), depth+1)
	case n.Const != nil:
		w.out.Write(n.Const)
	case len(n.Enum) > 0:
		w.out.Write(n.Enum[0])
	case len(n.AnyOf) > 0:
		w.write(n.AnyOf[0], depth+1)
	case len(n.OneOf) > 0:
		w.write(n.OneOf[0], depth+1)
	case len(n.AllOf) > 0:
		w.write(n.AllOf[0], depth+1)
	default:
		w.writeType(n, depth)
	}
}

func (w instance) writeType(n schemaNode, depth int) {
	switch n.kind() {
	case "string":
		writeJSON(w.out, strings.Repeat("x", min(max(0, n.MinLength), maxInstance)))
	case "integer":
		writeJSON(w.out, math.Ceil(n.number(1)))
	case "number":
		writeJSON(w.out, n.number(0.5))
	case "boolean":
		w.out.WriteString("false")
	case "null":
		w.out.WriteString("null")
	case "array":
		w.writeArray(n, depth)
	default:
		w.writeObject(n, depth)
	}
}

func (w instance) writeArray(n schemaNode, depth int) {
	w.out.WriteByte('[')
	for i := range n.MinItems {
		if w.out.Len() > maxInstance {
			break
		}
		if i > 0 {
			w.out.WriteByte(',')
		}
		if n.Items == nil {
			w.out.WriteString("null")
			continue
		}
		w.write(*n.Items, depth+1)
	}
	w.out.WriteByte(']')
}

func (w instance) writeObject(n schemaNode, depth int) {
	w.out.WriteByte('{')
	for i, name := range n.Required {
		if i > 0 {
			w.out.WriteByte(',')
		}
		writeJSON(w.out, name)
		w.out.WriteByte(':')
		w.write(n.Props[name], depth+1)
	}
	w.out.WriteByte('}')
}

// kind is the first type that is not null; a schema without one is an object,
// or an array where it speaks of items.
func (n schemaNode) kind() string {
	for _, t := range n.Type {
		if t != "null" {
			return t
		}
	}
	switch {
	case len(n.Type) > 0:
		return "null"
	case n.Items != nil:
		return "array"
	}
	return "object"
}

// number is the value nearest to zero within the limits; step is the distance
// to an excluded limit.
func (n schemaNode) number(step float64) float64 {
	v := 0.0
	if n.Maximum != nil {
		v = min(v, *n.Maximum)
	}
	if n.Below != nil {
		v = min(v, *n.Below-step)
	}
	if n.Minimum != nil {
		v = max(v, *n.Minimum)
	}
	if n.Above != nil {
		v = max(v, *n.Above+step)
	}
	if n.Multiple > 0 {
		v = math.Ceil(v/n.Multiple) * n.Multiple
	}
	return v
}

// resolve follows a reference within the schema: #, #/$defs/x.
func (w instance) resolve(ref string) schemaNode {
	at := w.root
	for _, key := range strings.Split(strings.TrimPrefix(ref, "#"), "/") {
		if key == "" {
			continue
		}
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		members := map[string]json.RawMessage{}
		if json.Unmarshal(at, &members) != nil {
			return schemaNode{}
		}
		at = members[key]
	}
	n := schemaNode{}
	if json.Unmarshal(at, &n) != nil {
		return schemaNode{}
	}
	return n
}

func writeJSON(out *strings.Builder, value any) {
	text, err := json.Marshal(value)
	if err != nil { // a number that JSON cannot express
		text = []byte("null")
	}
	out.Write(text)
}
