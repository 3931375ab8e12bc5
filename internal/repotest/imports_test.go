package repotest

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// rules say who may import whom: "a < b" means that b may import a, and what a
// may import. NONE is what the packages without any import of ours stand on.
const rules = `
	NONE < faults, internal/strict, internal/expression, internal/refservice, hypotheses/stats
	NONE < docs, examples, internal/repotest, internal/secrets

	internal/strict < fakes, hypotheses
	internal/expression < fakes, hypotheses
	fakes/dialect < fakes/openai < fakes
	faults < fakes/dialect, fakes, hypotheses
	faults < internal/toxi
	hypotheses < internal/schema

	hypotheses/stats < hypotheses < internal/target, internal/load, internal/journal, internal/report
	internal/expression, internal/secrets < internal/load

	fakes, internal/target, internal/toxi, internal/load, internal/journal < internal/run
	internal/run, internal/report, fakes < suites < suites/specs
	internal/run, internal/report, fakes, suites < cmd/brownout
	docs, examples, internal/refservice, internal/schema < cmd/brownout
`

// testsMayImport are packages that tests import beside what their package may:
// services to break, providers to call, faults to inject.
var testsMayImport = []string{"internal/refservice", "fakes", "faults", "examples", "docs"}

// testsOf are further packages for the tests of one package.
var testsOf = map[string][]string{"suites": {"suites/specs"}}

// heavy are modules that only some packages may import, tests included. A
// path that ends in a slash is a folder.
var heavy = []struct {
	module string
	code   []string
	tests  []string
}{
	{"github.com/onsi/", []string{"suites/specs"}, []string{"suites/"}},
	{"github.com/Shopify/toxiproxy", []string{"internal/toxi"}, []string{"internal/toxi"}},
	{"github.com/testcontainers/", []string{"internal/target/container"}, []string{"internal/target/container"}},
	{"github.com/invopop/jsonschema", []string{"internal/schema"}, []string{"internal/schema"}},
	{"github.com/openai/openai-go", []string{"internal/refservice"}, []string{"fakes/", "internal/", "suites/", "cmd/"}},
}

const longestChain = 6

func TestImportsOfOurs(t *testing.T) { lawImportsOfOurs(t, packages(t)) }

func lawImportsOfOurs(r reporter, all map[string]*pkg) {
	may := parseRules(rules)
	for _, p := range all {
		if _, ok := may[p.path]; !ok {
			r.Errorf("%s: no rule names this package: add it to the rules of this test", p.path)
			continue
		}
		for _, f := range p.code {
			checkOwn(r, f, p.path, may, nil)
		}
		for _, f := range p.tests {
			checkOwn(r, f, p.path, may, append(testsOf[p.path], testsMayImport...))
		}
	}
}

func checkOwn(r reporter, f goFile, from string, may map[string]map[string]bool, also []string) {
	if from == "internal/repotest" {
		return // tests only, about all of them
	}
	for _, name := range f.imports() {
		target, ours := own(name)
		if ours && target != from && !may[from][target] && !slices.Contains(also, target) {
			r.Errorf("%s: %s may not import %s", f.path, from, target)
		}
	}
}

// parseRules gives for each package those it may import, transitively.
func parseRules(text string) map[string]map[string]bool {
	may := map[string]map[string]bool{}
	for line := range strings.Lines(text) {
		groups := strings.Split(line, "<")
		for i, group := range groups[1:] {
			for _, above := range names(group) {
				if may[above] == nil {
					may[above] = map[string]bool{}
				}
				for _, below := range names(groups[i]) {
					may[above][below] = true
				}
			}
		}
	}
	for range may { // as many rounds as the longest chain could need
		for _, below := range may {
			for b := range maps.Clone(below) {
				maps.Copy(below, may[b])
			}
		}
	}
	return may
}

func names(list string) []string {
	found := []string{}
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			found = append(found, name)
		}
	}
	return found
}

func TestParseRules(t *testing.T) {
	may := parseRules("NONE < a\nb < e\na < b < c, d")
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"b", "a", true}, {"c", "a", true}, {"e", "a", true}, {"d", "b", true},
		{"a", "b", false}, {"c", "d", false}, {"e", "c", false},
	} {
		if may[c.from][c.to] != c.want {
			t.Errorf("%s may import %s: got %t, want %t", c.from, c.to, !c.want, c.want)
		}
	}
}

func TestImportsOfOthers(t *testing.T) { lawImportsOfOthers(t, packages(t)) }

func lawImportsOfOthers(r reporter, all map[string]*pkg) {
	for _, p := range all {
		for _, f := range p.code {
			checkHeavy(r, f, p.path, false)
			for _, name := range f.imports() {
				if p.path == "faults" && strings.Contains(name, ".") {
					r.Errorf("%s: faults imports the standard library only, not %s", f.path, name)
				}
			}
		}
		for _, f := range p.tests {
			checkHeavy(r, f, p.path, true)
		}
	}
}

func checkHeavy(r reporter, f goFile, from string, test bool) {
	for _, h := range heavy {
		allowed := h.code
		if test {
			allowed = append(slices.Clone(h.code), h.tests...)
		}
		within := func(a string) bool { return a == from || strings.HasSuffix(a, "/") && strings.HasPrefix(from+"/", a) }
		for _, name := range f.imports() {
			if strings.HasPrefix(name, h.module) && !slices.ContainsFunc(allowed, within) {
				r.Errorf("%s: %s is imported here, and only %v may import it", f.path, name, allowed)
			}
		}
	}
}

// TestCommandHasNoGinkgo follows the imports of the command: the test
// framework must not be part of the binary.
func TestCommandHasNoGinkgo(t *testing.T) {
	if seen := lawCommandHasNoGinkgo(t, packages(t)); !seen["hypotheses"] {
		t.Error("the command does not reach package hypotheses: this law looks at the wrong place")
	}
}

func lawCommandHasNoGinkgo(r reporter, all map[string]*pkg) map[string]bool {
	seen := map[string]bool{}
	var follow func(name string)
	follow = func(name string) {
		if seen[name] || all[name] == nil {
			return
		}
		seen[name] = true
		for _, f := range all[name].code {
			for _, imported := range f.imports() {
				if strings.HasPrefix(imported, "github.com/onsi/") {
					r.Errorf("%s: imports %s, and cmd/brownout imports %s", f.path, imported, name)
				}
				if next, ours := own(imported); ours {
					follow(next)
				}
			}
		}
	}
	follow("cmd/brownout")
	return seen
}

func TestLongestChain(t *testing.T) { lawLongestChain(t, packages(t)) }

func lawLongestChain(r reporter, all map[string]*pkg) {
	var longest func(name string, path []string) []string
	longest = func(name string, path []string) []string {
		if slices.Contains(path, name) {
			r.Errorf("a cycle of imports: %s", strings.Join(append(path, name), " -> "))
			return path
		}
		path = append(slices.Clone(path), name)
		best := path
		if all[name] == nil {
			return best
		}
		for _, f := range all[name].code {
			for _, imported := range f.imports() {
				if next, ours := own(imported); ours {
					if p := longest(next, path); len(p) > len(best) {
						best = p
					}
				}
			}
		}
		return best
	}
	for name := range all {
		if chain := longest(name, nil); len(chain)-1 > longestChain {
			r.Errorf("a chain of %d imports, more than %d: %s", len(chain)-1, longestChain, strings.Join(chain, " -> "))
		}
	}
}
