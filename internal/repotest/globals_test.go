package repotest

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

func TestNoInit(t *testing.T) { lawNoInit(t, packages(t)) }

func lawNoInit(r reporter, all map[string]*pkg) {
	for _, p := range all {
		for _, f := range p.code {
			for _, decl := range f.ast.Decls {
				if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" {
					r.Errorf("%s: an init function: what happens before main happens unseen", f.at(d))
				}
			}
		}
	}
}

// TestNoMutableGlobals: a package-level variable is a table that nobody
// writes. Only errors are exported.
func TestNoMutableGlobals(t *testing.T) { lawNoMutableGlobals(t, packages(t)) }

func lawNoMutableGlobals(r reporter, all map[string]*pkg) {
	for _, p := range all {
		globals := map[string]*ast.ValueSpec{}
		for _, f := range p.code {
			for _, spec := range globalsOf(f.ast) {
				for _, name := range spec.Names {
					globals[name.Name] = spec
					checkGlobal(r, f, spec, name.Name)
				}
			}
		}
		for _, f := range p.code {
			checkWrites(r, f, globals)
		}
	}
}

func globalsOf(f *ast.File) []*ast.ValueSpec {
	found := []*ast.ValueSpec{}
	for _, decl := range f.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			found = append(found, spec.(*ast.ValueSpec))
		}
	}
	return found
}

func checkGlobal(r reporter, f goFile, spec *ast.ValueSpec, name string) {
	_, qualified := spec.Type.(*ast.SelectorExpr) // embed.FS has no value
	switch {
	case name == "_":
	case ast.IsExported(name) && !strings.HasPrefix(name, "Err") && (!qualified || name != "FS"):
		r.Errorf("%s: the exported variable %s can be changed by anybody: make it a function", f.at(spec), name)
	case len(spec.Values) == 0 && !qualified:
		r.Errorf("%s: the variable %s has no value: whoever sets it does so behind the reader's back", f.at(spec), name)
	}
}

// checkWrites finds assignments to package-level variables, to their fields
// and to their elements.
func checkWrites(r reporter, f goFile, globals map[string]*ast.ValueSpec) {
	check := func(expr ast.Expr) {
		name := base(expr)
		if name == nil || globals[name.Name] == nil {
			return
		}
		if name.Obj == nil || name.Obj.Decl == globals[name.Name] {
			r.Errorf("%s: writes the package-level variable %s", f.at(expr), name.Name)
		}
	}
	ast.Inspect(f.ast, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, left := range n.Lhs {
					check(left)
				}
			}
		case *ast.IncDecStmt:
			check(n.X)
		}
		return true
	})
}

// base is the variable that an expression such as a.b[c].d starts with.
func base(expr ast.Expr) *ast.Ident {
	switch e := expr.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return base(e.X)
	case *ast.IndexExpr:
		return base(e.X)
	case *ast.StarExpr:
		return base(e.X)
	case *ast.ParenExpr:
		return base(e.X)
	}
	return nil
}
