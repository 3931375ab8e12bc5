package repotest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLinksResolve: links between pages lead to a file, and to a heading of it
// where they name one.
func TestLinksResolve(t *testing.T) {
	pages := map[string]string{}
	for _, f := range withExt(t, ".md") {
		pages[f.path] = f.text
	}
	for name, text := range pages {
		for _, breach := range brokenLinks(name, text, pages) {
			t.Error(breach)
		}
	}
}

// brokenLinks are the links of one page that lead nowhere.
func brokenLinks(name, text string, pages map[string]string) []string {
	broken := []string{}
	for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(prose(text), -1) {
		target, anchor, _ := strings.Cut(link[1], "#")
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			continue
		}
		to := name
		if target != "" {
			to = path.Join(path.Dir(name), target)
		}
		if _, err := os.Stat(filepath.Join(root, to)); err != nil && pages[to] == "" {
			broken = append(broken, name+": the link "+link[1]+" leads to no file")
			continue
		}
		if anchor != "" && !hasHeading(pages[to], anchor) {
			broken = append(broken, name+": the link "+link[1]+" leads to no heading")
		}
	}
	return broken
}

// prose is a page without its fenced blocks.
func prose(text string) string {
	kept, inside := "", false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			inside = !inside
			continue
		}
		if !inside {
			kept += line
		}
	}
	return kept
}

// hasHeading reports whether a heading of the page has the anchor, as GitHub
// makes it: lower case, spaces to hyphens, other signs dropped.
func hasHeading(page, anchor string) bool {
	for line := range strings.Lines(prose(page)) {
		title := strings.TrimSpace(strings.TrimLeft(line, "#"))
		if !strings.HasPrefix(line, "#") {
			continue
		}
		slug := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(title), "")
		if strings.ReplaceAll(slug, " ", "-") == anchor {
			return true
		}
	}
	return false
}

func TestBrokenLinks(t *testing.T) {
	pages := map[string]string{"docs/a.md": "# A page, of sorts\n\n## The `key`\n"}
	for _, c := range []struct {
		link string
		ok   bool
	}{
		{"a.md", true}, {"a.md#a-page-of-sorts", true}, {"a.md#the-key", true}, {"../docs/a.md", true},
		{"https://example.com/x", true},
		{"b.md", false}, {"a.md#nowhere", false}, {"#here", false},
	} {
		got := brokenLinks("docs/c.md", "see [it]("+c.link+")", pages)
		if (len(got) == 0) != c.ok {
			t.Errorf("%s: got %q, want ok %t", c.link, got, c.ok)
		}
	}
	if got := brokenLinks("docs/c.md", "```\n[it](b.md)\n```\n", pages); len(got) != 0 {
		t.Errorf("a link within a block of code: got %q, want none", got)
	}
}
