package repotest

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"
)

// TestPackageComments: exactly one comment per package, where a reader looks
// for it.
func TestPackageComments(t *testing.T) { lawPackageComments(t, packages(t)) }

func lawPackageComments(r reporter, all map[string]*pkg) {
	for _, p := range all {
		if len(p.code) == 0 {
			continue
		}
		home, start := "doc.go", "Package "+p.code[0].ast.Name.Name+" "
		if p.code[0].ast.Name.Name == "main" {
			home, start = "main.go", "Command "+path.Base(p.path)+" "
		}
		found := false
		for _, f := range append(p.code, p.tests...) {
			if f.ast.Doc == nil {
				continue
			}
			switch {
			case path.Base(f.path) != home:
				r.Errorf("%s: a package comment outside %s", f.path, home)
			case !strings.HasPrefix(f.ast.Doc.Text(), start):
				r.Errorf("%s: the package comment starts %.30q, want %q", f.path, f.ast.Doc.Text(), start)
			}
			found = found || path.Base(f.path) == home
		}
		if !found {
			r.Errorf("%s: no package comment in %s", p.path, home)
		}
	}
}

// TestExportedNamesAreDocumented: each exported name and method of an exported
// type has a comment that starts with its name.
func TestExportedNamesAreDocumented(t *testing.T) { lawDocumented(t, packages(t)) }

func lawDocumented(r reporter, all map[string]*pkg) {
	for _, p := range all {
		for _, f := range p.code {
			for _, decl := range f.ast.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() && exportedReceiver(d) {
						checkComment(r, f, d, d.Name.Name, d.Doc)
					}
				case *ast.GenDecl:
					checkGroup(r, f, d)
				}
			}
		}
	}
}

// checkGroup checks types, constants and variables. A comment on a group of
// constants or variables, or behind one of them, is enough.
func checkGroup(r reporter, f goFile, group *ast.GenDecl) {
	for _, spec := range group.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				doc := s.Doc
				if doc == nil && !group.Lparen.IsValid() {
					doc = group.Doc
				}
				checkComment(r, f, s, s.Name.Name, doc)
			}
		case *ast.ValueSpec:
			single := !group.Lparen.IsValid()
			for _, name := range s.Names {
				switch {
				case !name.IsExported() || s.Comment != nil:
				case single:
					checkComment(r, f, s, name.Name, group.Doc)
				case group.Doc == nil && s.Doc == nil:
					r.Errorf("%s: %s has no comment, and neither has its group", f.at(s), name.Name)
				}
			}
		}
	}
}

func checkComment(r reporter, f goFile, node ast.Node, name string, doc *ast.CommentGroup) {
	if doc == nil {
		r.Errorf("%s: %s has no comment", f.at(node), name)
		return
	}
	text := doc.Text()
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	rest, ok := strings.CutPrefix(text, name)
	if !ok || rest != "" && token.IsIdentifier(rest[:1]) {
		r.Errorf("%s: the comment on %s does not start with its name: %.40q", f.at(node), name, doc.Text())
	}
}

// exportedReceiver reports whether a function is no method, or one of an
// exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	expr := d.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if generic, ok := expr.(*ast.IndexExpr); ok {
		expr = generic.X
	}
	name, ok := expr.(*ast.Ident)
	return ok && name.IsExported()
}
