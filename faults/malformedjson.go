package faults

import "fmt"

// MalformedJSON answers 200 with a JSON body that does not parse. On a stream
// the first chunk is damaged. YAML: malformed_json: {how: cut}.
type MalformedJSON struct {
	How string `json:"how,omitempty"` // cut, syntax or not_object; "": cut
}

// The ways in which JSON is damaged.
const (
	DamageCut       = "cut"        // the second half is missing, the HTTP message is complete
	DamageSyntax    = "syntax"     // a brace too many: {{"id": ...
	DamageNotObject = "not_object" // valid JSON of the wrong type: an array
)

// Kind is "malformed_json".
func (MalformedJSON) Kind() string { return "malformed_json" }

// Check reports an unknown damage.
func (f MalformedJSON) Check() error { return checkDamage(f.How) }

// Script damages the body, or the first chunk of a stream.
func (f MalformedJSON) Script() Script {
	return Script{Break: &Break{Act: ActCorrupt, How: damageOrCut(f.How)}}
}

func checkDamage(how string) error {
	switch how {
	case "", DamageCut, DamageSyntax, DamageNotObject:
		return nil
	}
	return fmt.Errorf("how is %q: want cut, syntax or not_object", how)
}

func damageOrCut(how string) string {
	if how == "" {
		return DamageCut
	}
	return how
}
