package repotest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/brownout-chaos/brownout"
)

// A file is one text file of the repository.
type file struct {
	path string // from the root, with slashes
	text string
}

func (f file) lines() int { return strings.Count(f.text, "\n") }

// files reads every text file but those of nested modules, hidden folders,
// results and binaries. Test data is included. It reads the tree once: os.ReadFile
// tells the test cache about each file.
var files = sync.OnceValues(readTree)

func readTree() ([]file, error) {
	list := []file{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(name, entry.Name())
		}
		text, err := os.ReadFile(name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		relative, err := filepath.Rel(root, name)
		list = append(list, file{filepath.ToSlash(relative), string(text)})
		return err
	})
	return list, err
}

func skipFolder(name, base string) error {
	hidden := strings.HasPrefix(base, ".") && base != "." && base != ".." && base != ".github" && base != ".ci"
	if hidden || slices.Contains([]string{"brownout-results", "bin", "dist", "node_modules"}, base) {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != root {
		return filepath.SkipDir
	}
	return nil
}

// allFiles are the files of the repository.
func allFiles(t *testing.T) []file {
	t.Helper()
	list, err := files()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// withExt are the files whose name ends in ext.
func withExt(t *testing.T, ext string) []file {
	t.Helper()
	found := []file{}
	for _, f := range allFiles(t) {
		if strings.HasSuffix(f.path, ext) && !strings.Contains(f.path, "testdata/") {
			found = append(found, f)
		}
	}
	return found
}

// A pkg is a folder of Go files.
type pkg struct {
	path  string // from the module, such as internal/run
	code  []goFile
	tests []goFile
}

// A goFile is a parsed Go file.
type goFile struct {
	file
	fset *token.FileSet
	ast  *ast.File
}

// at is the place of a node: file:line.
func (f goFile) at(node ast.Node) string {
	return f.path + ":" + strconv.Itoa(f.fset.Position(node.Pos()).Line)
}

// imports are the import paths of the file.
func (f goFile) imports() []string {
	list := []string{}
	for _, spec := range f.ast.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil {
			list = append(list, name)
		}
	}
	return list
}

// packages parses all Go files of the repository, whatever their build tags.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	return parse(t, withExt(t, ".go"))
}

func parse(t *testing.T, list []file) map[string]*pkg {
	t.Helper()
	all := map[string]*pkg{}
	for _, f := range list {
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, f.path, f.text, parser.ParseComments)
		if err != nil {
			t.Fatalf("parse: %v", err)
		}
		folder := path.Dir(f.path)
		if all[folder] == nil {
			all[folder] = &pkg{path: folder}
		}
		p, g := all[folder], goFile{f, fset, parsed}
		if strings.HasSuffix(f.path, "_test.go") {
			p.tests = append(p.tests, g)
		} else {
			p.code = append(p.code, g)
		}
	}
	return all
}

// A reporter hears of each breach of a law: the test, or the test of the law.
type reporter interface {
	Errorf(format string, args ...any)
}

// own is the package of this module that is imported as name.
func own(name string) (string, bool) { return strings.CutPrefix(name, module+"/") }
