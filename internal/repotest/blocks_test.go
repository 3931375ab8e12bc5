package repotest

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// A block is a fenced block of a page.
type block struct {
	at       string // page:line of its first line
	language string // first word after the fence
	text     string
}

// blocks are the fenced blocks of all pages in one language.
func blocks(t *testing.T, language string) []block {
	t.Helper()
	found := []block{}
	for _, f := range withExt(t, ".md") {
		for _, b := range fenced(f) {
			if b.language == language {
				found = append(found, b)
			}
		}
	}
	return found
}

func fenced(f file) []block {
	list, open := []block{}, (*block)(nil)
	for n, line := range strings.Split(f.text, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			language, _, _ := strings.Cut(info, " ")
			open = &block{at: fmt.Sprintf("%s:%d", f.path, n+2), language: language}
		case fence:
			list = append(list, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return list
}

// baseService and baseExperiment surround the parts of files that pages show.
const (
	baseService = `
version: 1
service: {url: "http://127.0.0.1:8080"}
providers: {primary: {}, fallback: {}}
dependencies: {vectors: {upstream: "127.0.0.1:6333"}}
endpoints:
  ask: {request: POST /ask, degraded_when: body.degraded == true}
  chat: {request: POST /chat, stream: openai}
  search: {request: GET /search, bystander: true}
`
	baseExperiment = `
version: 1
experiment: a page of the manual
service: service.yaml
load: {rate: 50/s, bystanders: 50/s, phases: [warmup: 1s, baseline: 6s, fault: 20s, recovery: 10s]}
faults: []
hypotheses: [latency: {of: ask, below: 3s}]
`
)

// TestYAMLBlocksAreRead: what a page shows can be typed.
func TestYAMLBlocksAreRead(t *testing.T) {
	list := blocks(t, "yaml")
	if len(list) < 40 {
		t.Errorf("found %d blocks of YAML in all pages, want at least one per fault, toxic and hypothesis", len(list))
	}
	for _, b := range list {
		if err := readYAML(t, b.text); err != nil {
			t.Errorf("%s: %v", b.at, err)
		}
	}
}

// readYAML reads a whole file or puts a part of one into its place: a list of
// faults or of hypotheses, or some keys of a file.
func readYAML(t *testing.T, text string) error {
	t.Helper()
	var list []map[string]any
	if yaml.Unmarshal([]byte(text), &list) == nil {
		key := "faults"
		if len(list) > 0 && isHypothesis(list[0]) {
			key = "hypotheses"
		}
		return readAs(t, "experiment.yaml", overlay(baseExperiment, key+":\n"+text))
	}
	var mapping map[string]any
	if err := yaml.Unmarshal([]byte(text), &mapping); err != nil {
		return err
	}
	_, endpoints := mapping["endpoints"]
	_, service := mapping["service"].(map[string]any)
	switch {
	case mapping["experiment"] != nil:
		return readAs(t, "experiment.yaml", text)
	case endpoints || service || mapping["providers"] != nil || mapping["dependencies"] != nil || mapping["attribution"] != nil:
		return readAs(t, "my-service.yaml", overlay(baseService, text))
	default:
		return readAs(t, "experiment.yaml", overlay(baseExperiment, text))
	}
}

func isHypothesis(entry map[string]any) bool {
	kinds := []string{}
	for _, h := range hypotheses.Catalogue() {
		kinds = append(kinds, h.Kind())
	}
	return len(entry) == 1 && slices.ContainsFunc(kinds, func(kind string) bool { _, ok := entry[kind]; return ok })
}

// overlay replaces top-level keys of a file by those of a part.
func overlay(whole, part string) string {
	given := map[string]any{}
	if err := yaml.Unmarshal([]byte(part), &given); err != nil {
		return part
	}
	kept, key := "", ""
	for line := range strings.Lines(whole) {
		if line[0] != ' ' && line[0] != '\n' {
			key, _, _ = strings.Cut(line, ":")
		}
		if _, replaced := given[key]; !replaced {
			kept += line
		}
	}
	return kept + part
}

// readAs writes the text to a folder with the examples and the base service
// beside it, and reads it as its name says.
func readAs(t *testing.T, name, text string) error {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{"service.yaml": baseService, name: text} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if name == "my-service.yaml" {
		_, err := hypotheses.ParseService(filepath.Join(dir, name))
		return err
	}
	_, err := hypotheses.ParseExperiment(filepath.Join(dir, name), nil)
	return err
}

// TestPagesShowTheirOwnKey: the block of YAML on the page of a fault, toxic or
// hypothesis uses it.
func TestPagesShowTheirOwnKey(t *testing.T) {
	for folder, entries := range catalogues() {
		for _, e := range entries {
			name := "docs/" + folder + "/" + e.kind + ".md"
			shown := false
			for _, b := range fenced(file{name, text(t, name)}) {
				shown = shown || b.language == "yaml" && strings.Contains(b.text, e.kind+":")
			}
			if !shown {
				t.Errorf("%s: no block of YAML shows %s", name, e.kind)
			}
		}
	}
}

func TestJSONBlocksAreJSON(t *testing.T) {
	for _, b := range blocks(t, "json") {
		for line := range strings.Lines(b.text) {
			if !json.Valid([]byte(b.text)) && !json.Valid([]byte(line)) {
				t.Errorf("%s: no JSON: %s", b.at, line)
			}
		}
	}
}

// TestGoBlocksCompile builds the blocks of Go of all pages at once. A block
// without a package clause is the body of a function, in which ctx is a
// context.
func TestGoBlocksCompile(t *testing.T) {
	list := blocks(t, "go")
	if len(list) == 0 {
		t.Fatal("no block of Go in all pages")
	}
	dir, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	real, virtual := t.TempDir(), map[string]string{}
	for i, b := range list {
		source := goSource(b)
		if _, err := parser.ParseFile(token.NewFileSet(), b.at, source, parser.AllErrors); err != nil {
			t.Errorf("%v", err)
			continue
		}
		name := filepath.Join(real, fmt.Sprintf("block%d.go", i))
		if err := os.WriteFile(name, []byte("//line "+b.at+"\n"+source), 0o600); err != nil {
			t.Fatal(err)
		}
		virtual[filepath.Join(dir, "internal", "repotest", fmt.Sprintf("block%d", i), "block.go")] = name
	}
	build(t, dir, real, virtual)
}

// build compiles the virtual files, each a package of this module.
func build(t *testing.T, dir, temp string, virtual map[string]string) {
	t.Helper()
	overlay, err := json.Marshal(map[string]any{"Replace": virtual})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(temp, "overlay.json")
	if err := os.WriteFile(name, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "-overlay", name}
	for _, file := range slices.Sorted(maps.Keys(virtual)) {
		args = append(args, filepath.Dir(file))
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("blocks of Go in the pages do not compile: %v\n%s", err, out)
	}
}

// goSource makes a file of a block.
func goSource(b block) string {
	if strings.Contains(b.text, "package ") {
		return b.text
	}
	imports := ""
	for name, path := range map[string]string{
		"hypotheses": module + "/hypotheses", "faults": module + "/faults", "fakes": module + "/fakes", "suites": module + "/suites",
		"time": "time", "fmt": "fmt",
	} {
		if strings.Contains(b.text, name+".") {
			imports += fmt.Sprintf("import %q\n", path)
		}
	}
	if strings.Contains(b.text, "Expect(") {
		imports += "import . \"github.com/onsi/gomega\"\n"
	}
	body := ""
	for line := range strings.Lines(b.text) {
		body += line
	}
	if strings.HasPrefix(body, "hypotheses.") { // an expression alone
		body = "_ = " + body
	}
	return "package block\nimport \"context\"\n" + imports + "func _(ctx context.Context) {\n//line " + b.at + "\n" + body + "}\n"
}

// TestYAMLBlocksBite: a block that nobody could type is found, wherever its
// mistake is.
func TestYAMLBlocksBite(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // part of the error; "": none
	}{
		{"a fault", "- {to: primary, phase: fault, reset: {}}\n", ""},
		{"a fault that is not there", "- {to: primary, phase: fault, earthquake: {}}\n", "earthquake"},
		{"a phase that is not there", "- {to: primary, phase: fuult, reset: {}}\n", "fuult"},
		{"a hypothesis", "- attempts: {of: ask, at_most: 3}\n", ""},
		{"a bound without its unit", "- latency: {of: ask, below: 3}\n", "unit"},
		{"a part of an experiment", "seed: 7\n", ""},
		{"an unknown key of an experiment", "sead: 7\n", "sead"},
		{"a part of a service", "endpoints: {ask: {request: POST /ask}}\n", ""},
		{"an unknown key of a service", "endpoints: {ask: {reqest: POST /ask}}\n", "reqest"},
		{"no YAML", "a: [\n", "1:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := readYAML(t, c.text)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}
