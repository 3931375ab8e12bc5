package hypotheses

import (
	"fmt"
	"slices"
	"strings"
)

// Dialects lists the wire formats that a fake provider speaks:
// ${providers.NAME.DIALECT} is the base URL of one.
func Dialects() []string { return []string{"openai"} }

// APIs lists what providers call their endpoints: the values of match.api and
// of api in leaf_calls.
func APIs() []string { return []string{"chat", "models"} }

// Variables lists the names of every ${NAME} in the text.
func Variables(text string) []string {
	names := []string{}
	_, _ = Expand(text, func(name string) (string, bool) {
		names = append(names, name)
		return "", true
	})
	return names
}

// Expand replaces every ${NAME} in the text by its value. The error names a
// variable that lookup does not know, or one without its closing brace.
func Expand(text string, lookup func(name string) (string, bool)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("${%s has no closing brace", rest)
		}
		value, ok := lookup(name)
		if !ok {
			return "", fmt.Errorf("${%s} is not known", name)
		}
		b.WriteString(value)
		text = after
	}
}

// checkVariables refuses a text with a ${NAME} that will not be known when it
// is used. Names that are known there only are given.
func (s Service) checkVariables(path, text string, there ...string) error {
	known := slices.Clone(there)
	for name := range s.Providers {
		for _, dialect := range Dialects() {
			known = append(known, "providers."+name+"."+dialect)
		}
	}
	for name := range s.Dependencies {
		known = append(known, "dependencies."+name)
	}
	slices.Sort(known)
	_, err := Expand(text, func(name string) (string, bool) {
		return "", slices.Contains(known, name) || strings.HasPrefix(name, "env.") && name != "env."
	})
	if err == nil {
		return nil
	}
	return &problem{path, err.Error(), "known are env.NAME, " + strings.Join(known, ", ")}
}
