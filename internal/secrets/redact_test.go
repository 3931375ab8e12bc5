package secrets_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/internal/secrets"
)

func TestText(t *testing.T) {
	r := secrets.New(map[string]string{"hunter22": "${env.SHORT}", "hunter22-and-more": "${env.LONG}", "abc": "${env.TINY}"})
	tests := map[string]string{
		"token hunter22-and-more":                  "token ${env.LONG}",
		"token hunter22":                           "token ${env.SHORT}",
		"abc":                                      "abc",
		"dial http://user:pass@host/x":             "dial http://***@host/x",
		"Authorization: Bearer abcdefgh":           "Authorization: Bearer ***",
		"key sk-live-1234567 refused":              "key sk-*** refused",
		`{"api_key": "abcdefgh", "question": "a"}`: `{"api_key": "***", "question": "a"}`,
		"nothing to hide":                          "nothing to hide",
	}
	for text, want := range tests {
		if got := r.Text(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := r.Line("a\n  b\t" + strings.Repeat("x", 500)); len(got) > 250 || !strings.HasPrefix(got, "a b x") {
		t.Errorf("line: got %q", got)
	}
}

func TestSeen(t *testing.T) {
	r := secrets.New(map[string]string{"hunter22": "${env.KEY}"})
	tests := []struct {
		path  string
		value any
		want  any
	}{
		{"header.set-cookie", "session=1", "***"},
		{"header.set-cookie", nil, nil},
		{"header.x-cache", "hit", "hit"},
		{"header", map[string]string{"set-cookie": "s", "x-a": "hunter22"}, map[string]string{"set-cookie": "***", "x-a": "${env.KEY}"}},
		{"body", map[string]any{"a": []any{"hunter22", 1.0}}, map[string]any{"a": []any{"${env.KEY}", 1.0}}},
		{"body.n", 3.0, 3.0},
	}
	for _, test := range tests {
		if got := r.Seen(test.path, test.value); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.path, got, test.want)
		}
	}
}
