package secrets

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

const (
	mostLine = 240 // length of a line
	leastEnv = 8   // a shorter value of a variable is no credential
	stars    = "***"
)

// A Redactor makes text fit for a record. It is safe for concurrent use.
type Redactor struct {
	values *strings.Replacer // values of variables
	login  *regexp.Regexp    // of an address
	key    *regexp.Regexp    // API keys and bearer tokens
}

// New takes the values of variables, each with what is shown in its place,
// such as ${env.NAME}. Values of fewer than 8 characters stay readable.
func New(values map[string]string) *Redactor {
	secret := []string{}
	for value := range values {
		if len(value) >= leastEnv {
			secret = append(secret, value)
		}
	}
	// The longest first: one may begin with another.
	slices.SortFunc(secret, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	pairs := []string{}
	for _, value := range secret {
		pairs = append(pairs, value, values[value])
	}
	return &Redactor{
		values: strings.NewReplacer(pairs...),
		login:  regexp.MustCompile(`://[^/@\s"]+@`),
		key:    regexp.MustCompile(`(?i)\b(bearer\s+|sk-|api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',]{4,}`),
	}
}

// Text is the text without credentials.
func (r *Redactor) Text(text string) string {
	text = r.values.Replace(text)
	text = r.login.ReplaceAllString(text, "://"+stars+"@")
	return r.key.ReplaceAllString(text, "${1}"+stars)
}

// Line is the text without credentials as one short line.
func (r *Redactor) Line(text string) string {
	text = r.Text(strings.Join(strings.Fields(text), " "))
	if len(text) > mostLine {
		text = strings.ToValidUTF8(text[:mostLine], "") + "..."
	}
	return text
}

// Seen redacts what a hypothesis looks at, by the path of the value: texts in
// it, and whole headers that carry credentials.
func (r *Redactor) Seen(path string, value any) any {
	if name, ok := strings.CutPrefix(path, "header."); ok && value != nil && slices.Contains(headers(), name) {
		return stars
	}
	return r.value(value)
}

func (r *Redactor) value(value any) any {
	switch v := value.(type) {
	case string:
		return r.Text(v)
	case []any:
		for i := range v {
			v[i] = r.value(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = r.value(v[key])
		}
	case map[string]string:
		for key := range v {
			if v[key] = r.Text(v[key]); slices.Contains(headers(), key) {
				v[key] = stars
			}
		}
	}
	return value
}

// headers of answers that carry credentials, in lower case.
func headers() []string {
	return []string{"authorization", "cookie", "proxy-authorization", "set-cookie", "x-api-key", "api-key"}
}
