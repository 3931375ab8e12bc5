package dialect_test

import (
	"encoding/json"
	"testing"

	"github.com/brownout-chaos/brownout/fakes/dialect"
	"github.com/brownout-chaos/brownout/faults"
)

func TestInstance(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"string"}`:                                    `""`,
		`{"type":"string","minLength":3}`:                      `"xxx"`,
		`{"type":"integer","minimum":5}`:                       `5`,
		`{"type":"integer","exclusiveMinimum":5}`:              `6`,
		`{"type":"integer","minimum":5,"multipleOf":4}`:        `8`,
		`{"type":"number","maximum":-2.5}`:                     `-2.5`,
		`{"type":"number","exclusiveMaximum":0}`:               `-0.5`,
		`{"type":"boolean"}`:                                   `false`,
		`{"type":"null"}`:                                      `null`,
		`{"type":["null","string"]}`:                           `""`,
		`{"enum":["b","a"]}`:                                   `"b"`,
		`{"const":{"a":[1]}}`:                                  `{"a":[1]}`,
		`{"type":"array","items":{"type":"string"}}`:           `[]`,
		`{"items":{"type":"boolean"},"minItems":2}`:            `[false,false]`,
		`{"type":"object","properties":{"a":{"type":"null"}}}`: `{}`,
		`{"anyOf":[{"type":"string"},{"type":"null"}]}`:        `""`,
		`{"oneOf":[{"type":"integer"},{"type":"string"}]}`:     `0`,
		`{"allOf":[{"type":"boolean"}]}`:                       `false`,
		`{"required":["b","a"],"properties":{"a":{"type":"string"},"b":{"type":"object","required":["c"],"properties":{"c":{"type":"array"}}}}}`: `{"b":{"c":[]},"a":""}`,
		`{"$defs":{"x/y":{"type":"integer","minimum":1}},"type":"object","required":["n"],"properties":{"n":{"$ref":"#/$defs/x~1y"}}}`:           `{"n":1}`,
		`{"type":"object","required":["next"],"properties":{"next":{"anyOf":[{"type":"null"},{"$ref":"#"}]}}}`:                                   `{"next":null}`,
	} {
		got := dialect.Instance(json.RawMessage(schema))
		if string(got) != want {
			t.Errorf("%s: got %s, want %s", schema, got, want)
		}
	}
}

// TestInstanceIsBounded: schemas that refer to themselves or ask for a lot end
// in valid JSON of a bounded size.
func TestInstanceIsBounded(t *testing.T) {
	for name, schema := range map[string]string{
		"for ever":     `{"$ref":"#"}`,
		"deep":         `{"type":"object","required":["next"],"properties":{"next":{"$ref":"#"}}}`,
		"wide":         `{"type":"array","minItems":1000000000,"items":{"type":"boolean"}}`,
		"wide in wide": `{"type":"array","minItems":1000000000,"items":{"$ref":"#"}}`,
		"long":         `{"type":"string","minLength":1000000000}`,
		"nowhere":      `{"$ref":"#/$defs/none"}`,
		"no schema":    `[`,
	} {
		got := dialect.Instance(json.RawMessage(schema))
		if len(got) > 256<<10 || !json.Valid(got) {
			t.Errorf("%s: %d bytes, valid: %t", name, len(got), json.Valid(got))
		}
	}
}

func TestDamageJSON(t *testing.T) {
	const text = "data: {\"a\":{\"b\":1}}\n\n"
	for how, want := range map[string]string{
		faults.DamageCut:       "data: {\"a\":{\n\n",
		faults.DamageSyntax:    "data: {{\"a\":{\"b\":1}}\n\n",
		faults.DamageNotObject: "data: [{\"a\":{\"b\":1}}]\n\n",
	} {
		if got := string(dialect.DamageJSON([]byte(text), how)); got != want {
			t.Errorf("%s: got %q, want %q", how, got, want)
		}
	}
	if got := string(dialect.DamageJSON([]byte("data: [DONE]\n\n"), faults.DamageCut)); got != "data: [DONE]\n\n" {
		t.Errorf("without an object: got %q", got)
	}
}
