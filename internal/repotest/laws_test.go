package repotest

import (
	"fmt"
	"strings"
	"testing"
)

// heard collects the breaches that a law reports.
type heard []string

func (h *heard) Errorf(format string, args ...any) { *h = append(*h, fmt.Sprintf(format, args...)) }

// TestLawsBite plants one breach of each law, and its nearest lawful
// neighbour.
func TestLawsBite(t *testing.T) {
	const ours = module + "/"
	for _, c := range []struct {
		name   string
		path   string
		source string
		law    func(reporter, map[string]*pkg)
		want   string // part of the breach; "": lawful
	}{
		{"import upwards", "faults/a.go", `package faults; import _ "` + ours + `fakes"`, lawImportsOfOurs, "faults may not import fakes"},
		{"import downwards", "fakes/a.go", `package fakes; import _ "` + ours + `faults"`, lawImportsOfOurs, ""},
		{"import sideways", "internal/load/a.go", `package load; import _ "` + ours + `internal/run"`, lawImportsOfOurs, "internal/load may not import internal/run"},
		{"unknown package", "internal/utils/a.go", `package utils`, lawImportsOfOurs, "no rule names"},
		{"tests break services", "internal/run/a_test.go", `package run_test; import _ "` + ours + `internal/refservice"`, lawImportsOfOurs, ""},
		{"code breaks no service", "internal/run/a.go", `package run; import _ "` + ours + `internal/refservice"`, lawImportsOfOurs, "may not import"},
		{"module in faults", "faults/a.go", `package faults; import _ "gonum.org/v1/gonum/stat"`, lawImportsOfOthers, "standard library only"},
		{"ginkgo in suites", "suites/a.go", `package suites; import _ "github.com/onsi/gomega"`, lawImportsOfOthers, "github.com/onsi/gomega"},
		{"ginkgo in tests of suites", "suites/a_test.go", `package suites_test; import _ "github.com/onsi/gomega"`, lawImportsOfOthers, ""},
		{"toxiproxy in a test", "internal/run/a_test.go", `package run_test; import _ "github.com/Shopify/toxiproxy/v2"`, lawImportsOfOthers, "toxiproxy"},
		{"cycle", "a/a.go", `package a; import _ "` + ours + `a"`, lawLongestChain, "cycle"},
		{"comment outside doc.go", "faults/a.go", "// Package faults is.\npackage faults", lawPackageComments, "outside doc.go"},
		{"comment in doc.go", "faults/doc.go", "// Package faults is.\npackage faults", lawPackageComments, ""},
		{"comment cut off", "faults/doc.go", "// Package faults is.\n\npackage faults", lawPackageComments, "no package comment"},
		{"comment of a command", "cmd/x/main.go", "// Command x does.\npackage main", lawPackageComments, ""},
		{"function without comment", "faults/a.go", "package faults\nfunc F() {}", lawDocumented, "F has no comment"},
		{"comment on another name", "faults/a.go", "package faults\n// G does.\nfunc F() {}", lawDocumented, "does not start with its name"},
		{"comment on a longer name", "faults/a.go", "package faults\n// Fs do.\nfunc F() {}", lawDocumented, "does not start with its name"},
		{"type with article", "faults/a.go", "package faults\n// A T is.\ntype T struct{}", lawDocumented, ""},
		{"method without comment", "faults/a.go", "package faults\n// T is.\ntype T struct{}\nfunc (*T) M() {}", lawDocumented, "M has no comment"},
		{"method of a hidden type", "faults/a.go", "package faults\ntype t struct{}\nfunc (t) M() {}", lawDocumented, ""},
		{"constants with a comment on the group", "faults/a.go", "package faults\n// The ends.\nconst (\n\tA = 1\n)", lawDocumented, ""},
		{"constants without", "faults/a.go", "package faults\nconst (\n\tA = 1\n)", lawDocumented, "A has no comment"},
		{"init", "faults/a.go", "package faults\nfunc init() {}", lawNoInit, "init"},
		{"written global", "faults/a.go", "package faults\nvar n = 1\nfunc f() { n++ }", lawNoMutableGlobals, "writes the package-level variable n"},
		{"written element", "faults/a.go", "package faults\nvar m = map[int]int{}\nfunc f() { m[1] = 2 }", lawNoMutableGlobals, "variable m"},
		{"written local", "faults/a.go", "package faults\nvar n = 1\nfunc f() { n := 2; n++ }", lawNoMutableGlobals, ""},
		{"global without value", "faults/a.go", "package faults\nvar n int", lawNoMutableGlobals, "has no value"},
		{"exported global", "faults/a.go", "package faults\nvar N = 1", lawNoMutableGlobals, "can be changed by anybody"},
		{"exported error", "faults/a.go", "package faults\nvar ErrN = error(nil)", lawNoMutableGlobals, ""},
		{"sleep in a test", "faults/a_test.go", "package faults\nimport \"time\"\nfunc f() { time.Sleep(1) }", lawNoSleepInTests, "time.Sleep"},
		{"sleep in a handler", "faults/a_test.go", "package faults\nvar h = func(w http.ResponseWriter) { time.Sleep(1) }", lawNoSleepInTests, ""},
		{"sleep in code", "faults/a.go", "package faults\nimport \"time\"\nfunc f() { time.Sleep(1) }", lawNoSleepInTests, ""},
		{"ginkgo in the command", "cmd/brownout/a.go", `package main; import _ "github.com/onsi/gomega"`,
			func(r reporter, all map[string]*pkg) { lawCommandHasNoGinkgo(r, all) }, "gomega"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var breaches heard
			c.law(&breaches, parse(t, []file{{c.path, c.source}}))
			checkHeard(t, breaches, c.want)
		})
	}
}

func TestFileLawsBite(t *testing.T) {
	for _, c := range []struct {
		name string
		file file
		law  func(reporter, []file)
		want string
	}{
		{"machine path", file{"a.md", "see /" + "work/x"}, lawNoMachinePaths, "a.md:1"},
		{"relative path", file{"a.md", "see ../x"}, lawNoMachinePaths, ""},
		{"long file", file{"a.go", strings.Repeat("\n", 501)}, lawFilesAreShort, "501 lines"},
		{"long golden", file{"testdata/a.golden", strings.Repeat("\n", 501)}, lawFilesAreShort, ""},
		{"long readme", file{"README.md", strings.Repeat("\n", 201)}, lawFilesAreShort, "more than 200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var breaches heard
			c.law(&breaches, []file{c.file})
			checkHeard(t, breaches, c.want)
		})
	}
}

func checkHeard(t *testing.T, breaches heard, want string) {
	t.Helper()
	all := strings.Join(breaches, "\n")
	if want == "" && all != "" {
		t.Errorf("lawful, yet reported: %s", all)
	}
	if !strings.Contains(all, want) {
		t.Errorf("reported %q, want a breach with %q", all, want)
	}
}
