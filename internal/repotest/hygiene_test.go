package repotest

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

// sleepers are tests that may sleep, with the reason.
var sleepers = map[string]string{
	"internal/toxi/wait_linux_test.go": "measures the processor time of an edge in which nothing moves",
}

// TestNoMachinePaths: nothing in the repository names a folder of the machine
// it was written on.
func TestNoMachinePaths(t *testing.T) { lawNoMachinePaths(t, allFiles(t)) }

func lawNoMachinePaths(r reporter, all []file) {
	needles := []string{"/" + "work/", "../" + "shared", "/" + "root/", "/" + "home/"}
	for _, f := range all {
		for n, line := range strings.Split(f.text, "\n") {
			for _, needle := range needles {
				if strings.Contains(line, needle) {
					r.Errorf("%s:%d: names a path of a machine: %q", f.path, n+1, needle)
				}
			}
		}
	}
}

// TestFilesAreShort: what is longer holds two ideas.
func TestFilesAreShort(t *testing.T) { lawFilesAreShort(t, allFiles(t)) }

func lawFilesAreShort(r reporter, all []file) {
	const most = 500
	for _, f := range all {
		data := strings.Contains(f.path, "testdata/") || strings.HasSuffix(f.path, ".golden") || path.Base(f.path) == "go.sum"
		if !data && !strings.HasSuffix(f.path, "_test.go") && f.lines() > most {
			r.Errorf("%s: %d lines, more than %d", f.path, f.lines(), most)
		}
		if f.path == "README.md" && f.lines() > 200 {
			r.Errorf("README.md: %d lines, more than 200", f.lines())
		}
	}
}

// TestNoSleepInTests: a test waits for an event, not for a time. A handler that
// sleeps is a slow service.
func TestNoSleepInTests(t *testing.T) { lawNoSleepInTests(t, packages(t)) }

func lawNoSleepInTests(r reporter, all map[string]*pkg) {
	for _, p := range all {
		for _, f := range p.tests {
			if sleepers[f.path] != "" {
				continue
			}
			ast.Inspect(f.ast, func(node ast.Node) bool {
				if literal, ok := node.(*ast.FuncLit); ok && handler(literal.Type) {
					return false
				}
				call, ok := node.(*ast.SelectorExpr)
				if !ok || call.Sel.Name != "Sleep" {
					return true
				}
				if x, ok := call.X.(*ast.Ident); ok && x.Name == "time" {
					r.Errorf("%s: time.Sleep in a test: wait for what is to happen", f.at(call))
				}
				return true
			})
		}
	}
}

// handler reports whether a function answers HTTP.
func handler(f *ast.FuncType) bool {
	for _, parameter := range f.Params.List {
		if s, ok := parameter.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "ResponseWriter" {
			return true
		}
	}
	return false
}
