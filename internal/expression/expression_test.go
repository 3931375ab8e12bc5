package expression_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/internal/expression"
)

func env(body any) map[string]any {
	return map[string]any{
		"status": 200, "error": "", "header": map[string]string{"x-cache": "hit"}, "body": body,
		"events": 3, "text": "abc", "latency": 2 * time.Second, "calls": 4, "answered_by": "primary",
	}
}

func TestBool(t *testing.T) {
	object := map[string]any{"degraded": true, "n": 2.0, "items": []any{map[string]any{"id": "a"}}}
	bodies := map[string]any{"object": object, "nil": nil, "array": []any{1.0}, "string": "x"}
	tests := []struct {
		source string
		body   string
		want   bool
		err    string
	}{
		{"body.degraded == true", "object", true, ""},
		{"body.degraded == true", "nil", false, ""},
		{"body.degraded == true", "array", false, ""},
		{"body.degraded == true", "string", false, ""},
		{"body.degraded", "object", true, ""},
		{"body.degraded", "nil", false, ""},
		{"body.a.b.c == nil", "array", true, ""},
		{`body.items[0].id == "a"`, "object", true, ""},
		{`body.items[-1].id == "a"`, "object", true, ""},
		{`body.items[7].id == nil`, "object", true, ""},
		{`body["degraded"]`, "object", true, ""},
		{`body?.degraded`, "object", true, ""},
		{`header["X-Cache"] == "hit"`, "nil", true, ""},
		{`header["x-none"] == nil`, "nil", true, ""},
		{"(body.n ?? 0) > 1", "object", true, ""},
		{"(body.n ?? 0) > 1", "array", false, ""},
		{"body.n > 1", "nil", false, "invalid operation"},
		{"len(body.items) > 0", "array", false, "invalid argument for len"},
		{"not body.degraded", "nil", false, "is nil, not bool"},
		{"body.n", "object", false, "want true or false"},
		{"latency > duration(\"1s\") and status >= 200", "nil", true, ""},
		{"calls > 3 && answered_by != \"fallback\"", "nil", true, ""},
		{`any(body.items, .id == "a")`, "object", true, ""},
		{`"degraded" in body`, "object", true, ""},
		{`"degraded" in body`, "nil", false, ""},
		{"body[0:1] == [1]", "array", true, ""},
		{"latency.Seconds() > 1", "nil", true, ""},
	}
	for _, test := range tests {
		t.Run(test.source+" on "+test.body, func(t *testing.T) {
			p, err := expression.Compile(test.source, env(nil))
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Bool(env(bodies[test.body]))
			switch {
			case test.err == "" && (err != nil || got != test.want):
				t.Errorf("got %v %v, want %v", got, err, test.want)
			case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
				t.Errorf("got %v %v, want an error with %q", got, err, test.err)
			}
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	tests := map[string]struct {
		source string
		column int // 0: not looked at
	}{
		"unknown name":  {"stats >= 500", 1},
		"unknown later": {"status >= 500 or eror == 'x'", 18},
		"syntax":        {"status >= ", 0},
		"all variables": {"status > 1 and $env.body == nil", 16},
		"types":         {"status > 'a'", 0},
		"too long":      {strings.Repeat("status > 1 or ", 400) + "true", 0},
		"too deep":      {strings.Repeat("(", 3000) + "1" + strings.Repeat(")", 3000), 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := expression.Compile(test.source, env(nil))
			var at *expression.Error
			if !errors.As(err, &at) {
				t.Fatalf("got %v, want an *expression.Error", err)
			}
			if test.column != 0 && at.Column != test.column {
				t.Errorf("column %d, want %d (%v)", at.Column, test.column, err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

func TestPaths(t *testing.T) {
	tests := map[string]struct{ names, paths string }{
		"status >= 500":                        {"status", "status"},
		"body.degraded == true":                {"body", "body.degraded"},
		`header["X-A"] == "b" and status > 1`:  {"header status", "header.x-a status"},
		"body.items[0].id == body.items[1].id": {"body", "body.items.0.id body.items.1.id"},
		"len(body.items) > 0":                  {"body", "body.items"},
		"body[text] == 1":                      {"body text", "body text"},
		"body?.a?.b":                           {"body", "body.a.b"},
		"any(body.items, .id == text)":         {"body text", "body.items text"},
		"body == nil":                          {"body", "body"},
		`body["a.b"] == 1`:                     {"body", "body"},
	}
	for source, want := range tests {
		p, err := expression.Compile(source, env(nil))
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := strings.Join(p.Names(), " "); got != want.names {
			t.Errorf("%s: names %q, want %q", source, got, want.names)
		}
		if got := strings.Join(p.Paths(), " "); got != want.paths {
			t.Errorf("%s: paths %q, want %q", source, got, want.paths)
		}
		if !slices.IsSorted(p.Paths()) {
			t.Errorf("%s: paths not sorted", source)
		}
	}
}

func TestOpenEnvironment(t *testing.T) {
	p, err := expression.Compile("len(messages) > 1 and metadata.user == nil", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Bool(map[string]any{"messages": []any{1, 2}})
	if err != nil || !got {
		t.Errorf("got %v %v, want true", got, err)
	}
	if _, err := p.Bool(nil); err == nil {
		t.Error("the length of a missing field is no error")
	}
	var at *expression.Error
	if _, err := expression.Compile("true and size(messages) > 1", nil); !errors.As(err, &at) || at.Column != 10 {
		t.Errorf("unknown function: got %v, want an error at column 10", err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	p, err := expression.Compile("len(map(1..100000000, #)) > 0", env(nil))
	if err != nil {
		return
	}
	if _, err := p.Bool(env(nil)); err == nil || !strings.Contains(err.Error(), "memory budget") {
		t.Errorf("got %v, want the memory budget to end it", err)
	}
}
