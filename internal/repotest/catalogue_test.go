package repotest

import (
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/brownout-chaos/brownout/docs"
	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
)

// An entry is one thing of a catalogue.
type entry struct {
	kind  string
	value any
	check func() error
}

// catalogues are all catalogues by the folder of their pages.
func catalogues() map[string][]entry {
	all := map[string][]entry{}
	for _, f := range faults.Catalogue() {
		all["faults"] = append(all["faults"], entry{f.Kind(), f, f.Check})
	}
	for _, x := range faults.Toxics() {
		all["toxics"] = append(all["toxics"], entry{x.Kind(), x, x.Check})
	}
	for _, h := range hypotheses.Catalogue() {
		all["hypotheses"] = append(all["hypotheses"], entry{h.Kind(), h, h.Check})
	}
	return all
}

// TestEveryEntryHasItsPage, and every page its entry.
func TestEveryEntryHasItsPage(t *testing.T) {
	for folder, entries := range catalogues() {
		want, got := []string{}, []string{}
		for _, e := range entries {
			want = append(want, e.kind)
		}
		for _, f := range withExt(t, ".md") {
			if path.Dir(f.path) == "docs/"+folder {
				got = append(got, strings.TrimSuffix(path.Base(f.path), ".md"))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("docs/%s has pages on %v, the catalogue is %v", folder, got, want)
		}
	}
}

// TestPagesOpenWell: the title is the key, the first sentence fits a list, and
// the index of the manual has it.
func TestPagesOpenWell(t *testing.T) {
	index := text(t, "docs/README.md")
	for folder, entries := range catalogues() {
		for _, e := range entries {
			name := "docs/" + folder + "/" + e.kind + ".md"
			if !strings.HasPrefix(text(t, name), "# "+e.kind+"\n\n") {
				t.Errorf("%s: want the title %q and an empty line", name, "# "+e.kind)
			}
			summary := docs.Summary(folder, e.kind)
			if n := utf8.RuneCountInString(summary); n == 0 || n > 90 || !strings.HasSuffix(summary, ".") {
				t.Errorf("%s: the first sentence has %d characters, want 1 to 90 and a full stop: %q", name, n, summary)
			}
			row := "| [" + e.kind + "](" + folder + "/" + e.kind + ".md) | " + summary + " |"
			if !strings.Contains(index, row) {
				t.Errorf("docs/README.md: want the row %q", row)
			}
		}
	}
}

// TestKindsAreNamesOfTypes: rate_limit is RateLimit, in_flight is
// InFlightClaim.
func TestKindsAreNamesOfTypes(t *testing.T) {
	for _, entries := range catalogues() {
		for _, e := range entries {
			name := strings.TrimSuffix(reflect.TypeOf(e.value).Name(), "Claim")
			if got := snakeCase(name); got != e.kind {
				t.Errorf("%s has the kind %q, want %q", name, e.kind, got)
			}
		}
	}
}

// snakeCase puts an underscore before each word: HTMLPage is html_page.
func snakeCase(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		last := i == 0 || unicode.IsUpper(letters[i-1])
		next := i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if unicode.IsUpper(r) && i > 0 && (!last || next) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func TestSnakeCase(t *testing.T) {
	for name, want := range map[string]string{
		"RateLimit": "rate_limit", "HTMLPage": "html_page", "MalformedJSON": "malformed_json", "Down": "down", "ResetPeer": "reset_peer",
	} {
		if got := snakeCase(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestZeroValuesCheck: a zero fault or toxic can be played. A zero hypothesis
// may have no bound, and says so with its key.
func TestZeroValuesCheck(t *testing.T) {
	for folder, entries := range catalogues() {
		for _, e := range entries {
			err := e.check()
			switch {
			case err == nil:
			case folder != "hypotheses":
				t.Errorf("the zero %s does not pass its check: %v", e.kind, err)
			case !strings.HasPrefix(err.Error(), e.kind+": ") || !strings.Contains(err.Error(), "want"):
				t.Errorf("the zero %s: got %q, want its key and what was expected", e.kind, err)
			}
		}
	}
}

// TestPagesNameEveryKey: a key that is not on its page does not exist for a
// reader.
func TestPagesNameEveryKey(t *testing.T) {
	for folder, entries := range catalogues() {
		for _, e := range entries {
			name := "docs/" + folder + "/" + e.kind + ".md"
			page := text(t, name)
			for _, key := range keys(reflect.TypeOf(e.value), reflect.TypeFor[hypotheses.Scope](), reflect.TypeFor[hypotheses.Bound]()) {
				if !strings.Contains(page, "`"+key+"`") {
					t.Errorf("%s: does not name the key `%s`", name, key)
				}
			}
		}
	}
}

// TestManualNamesEveryKey does the same for the pages on files and results.
func TestManualNamesEveryKey(t *testing.T) {
	for _, c := range []struct {
		page string
		of   reflect.Type
	}{
		{"docs/experiments.md", reflect.TypeFor[hypotheses.Experiment]()},
		{"docs/experiments.md", reflect.TypeFor[hypotheses.Scope]()},
		{"docs/experiments.md", reflect.TypeFor[hypotheses.Bound]()},
		{"docs/services.md", reflect.TypeFor[hypotheses.Service]()},
		{"docs/results.md", reflect.TypeFor[hypotheses.Verdict]()},
		{"docs/results.md", reflect.TypeFor[hypotheses.Journal]()},
	} {
		page := text(t, c.page)
		skip := []reflect.Type{}
		for _, other := range []reflect.Type{reflect.TypeFor[hypotheses.Service](), reflect.TypeFor[hypotheses.Experiment]()} {
			if other != c.of { // it has a page of its own
				skip = append(skip, other)
			}
		}
		journal := c.of == reflect.TypeFor[hypotheses.Journal]()
		for _, key := range deepKeys(c.of, skip) {
			if journal && slices.Contains([]string{"phases", "windows", "requests", "calls", "notes"}, key) {
				continue // records: the page has a row per type
			}
			if !strings.Contains(page, "`"+key+"`") {
				t.Errorf("%s: does not name `%s` of %v", c.page, key, c.of)
			}
		}
	}
}

// keys are the JSON names of the fields of a struct and of the structs inlined
// in it, but for those of skip.
func keys(t reflect.Type, skip ...reflect.Type) []string {
	found := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || slices.Contains(skip, f.Type):
		case name == "" && f.Anonymous:
			found = append(found, keys(f.Type, skip...)...)
		case name != "":
			found = append(found, name)
		}
	}
	return found
}

// deepKeys are the keys of a type and of the structs that its fields hold.
func deepKeys(t reflect.Type, skip []reflect.Type) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || slices.Contains(skip, t) || !strings.HasPrefix(t.PkgPath(), module) {
		return nil
	}
	found := keys(t)
	for i := range t.NumField() {
		found = append(found, deepKeys(t.Field(i).Type, skip)...)
	}
	return found
}

// text is the text of one file of the repository.
func text(t *testing.T, name string) string {
	t.Helper()
	for _, f := range allFiles(t) {
		if f.path == name {
			return f.text
		}
	}
	t.Errorf("%s: no such file", name)
	return ""
}
