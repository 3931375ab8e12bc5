package repotest

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPagesNameRealCommands: a sub-command that a page tells to type exists.
func TestPagesNameRealCommands(t *testing.T) {
	known := subCommands(t)
	if !slices.Contains(known, "run") {
		t.Fatalf("the sub-commands are %v: this law looks at the wrong place", known)
	}
	for _, f := range withExt(t, ".md") {
		for _, name := range commands(f) {
			if !slices.Contains(known, name) {
				t.Errorf("%s: there is no command brownout %s, only %v", f.path, name, known)
			}
		}
	}
}

// subCommands are the fields of the type cli in cmd/brownout.
func subCommands(t *testing.T) []string {
	t.Helper()
	names := []string{}
	for _, f := range packages(t)["cmd/brownout"].code {
		ast.Inspect(f.ast, func(node ast.Node) bool {
			spec, ok := node.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "cli" {
				return true
			}
			for _, field := range spec.Type.(*ast.StructType).Fields.List {
				for _, name := range field.Names {
					names = append(names, strings.ToLower(name.Name))
				}
			}
			return false
		})
	}
	return names
}

// commands are the sub-commands in a page: in blocks of a shell, where brownout
// is the first word, and in `brownout NAME`.
func commands(f file) []string {
	found := []string{}
	add := func(form, text string) {
		for _, match := range regexp.MustCompile(form).FindAllStringSubmatch(text, -1) {
			found = append(found, match[1])
		}
	}
	for _, b := range fenced(f) {
		if b.language == "sh" || b.language == "console" {
			add(`(?m)^(?:\$ )?(?:bin/)?brownout ([a-z]+)`, b.text)
		}
	}
	add("`brownout ([a-z]+)", prose(f.text))
	return found
}

func TestCommands(t *testing.T) {
	text := "`brownout list x` and brownout itself\n```console\n$ brownout run a.yaml\nbrownout: no\n```\n```yaml\nbrownout no\n```\n"
	if got := commands(file{"a.md", text}); !slices.Equal(got, []string{"run", "list"}) {
		t.Errorf("got %q, want run and list", got)
	}
}
