package load

import (
	"regexp"
	"strings"
)

// mostDetail bounds the detail of a failed request.
const mostDetail = 240

// A redactor makes text from errors and answers fit for a record: one line,
// short, without credentials.
type redactor struct {
	secrets *strings.Replacer // values of ${env.X}
	login   *regexp.Regexp    // of an address
	key     *regexp.Regexp    // API keys and bearer tokens
}

func newRedactor(secrets map[string]string) *redactor {
	pairs := []string{}
	for value, name := range secrets {
		pairs = append(pairs, value, name)
	}
	return &redactor{
		secrets: strings.NewReplacer(pairs...),
		login:   regexp.MustCompile(`://[^/@\s"]+@`),
		key:     regexp.MustCompile(`(?i)\b(bearer\s+|sk-|api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',]{4,}`),
	}
}

func (r *redactor) line(text string) string {
	text = strings.Join(strings.Fields(r.secrets.Replace(text)), " ")
	text = r.login.ReplaceAllString(text, "://***@")
	text = r.key.ReplaceAllString(text, "${1}***")
	if len(text) > mostDetail {
		text = strings.ToValidUTF8(text[:mostDetail], "") + "..."
	}
	return text
}
