package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// variables replaces ${...} in endpoints.
type variables struct {
	lookup  func(string) (string, bool)
	secrets map[string]string // value -> ${name}
}

func newVariables(lookup func(string) (string, bool)) *variables {
	if lookup == nil {
		lookup = func(string) (string, bool) { return "", false }
	}
	return &variables{lookup: lookup, secrets: map[string]string{}}
}

// resolve replaces the variables that are the same for all requests, and
// leaves those of single requests: marker, request_id and seq.
func (v *variables) resolve(text string) (string, error) {
	var unknown error
	resolved, err := hypotheses.Expand(text, func(name string) (string, bool) {
		match := "${" + name + "}"
		if slices.Contains([]string{"marker", "request_id", "seq"}, name) {
			return match, true
		}
		value, ok := v.lookup(name)
		if !ok {
			unknown = fmt.Errorf("%q has no value: set it, or use ${marker}, ${request_id} or ${seq}", match)
		}
		if strings.HasPrefix(name, "env.") {
			v.secrets[value] = match
		}
		return value, ok
	})
	if unknown != nil {
		return "", unknown
	}
	return resolved, err
}
