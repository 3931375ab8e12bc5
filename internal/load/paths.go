package load

import (
	"strconv"
	"strings"
)

// root is the variable that a path such as body.degraded begins with.
func root(path string) string {
	name, _, _ := strings.Cut(path, ".")
	return name
}

// see is the value of each path; nil where the answer has none.
func see(paths []string, variables map[string]any) map[string]any {
	if len(paths) == 0 {
		return nil
	}
	seen := make(map[string]any, len(paths))
	for _, path := range paths {
		seen[path] = valueAt(variables, strings.Split(path, "."))
	}
	return seen
}

// valueAt follows a path through objects and lists.
func valueAt(value any, path []string) any {
	for _, step := range path {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case map[string]string:
			text, ok := v[step]
			if !ok {
				return nil
			}
			value = text
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}
