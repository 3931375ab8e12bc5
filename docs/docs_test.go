package docs_test

import (
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/docs"
)

func TestPages(t *testing.T) {
	for _, c := range []struct {
		name   string
		titles []string
	}{
		{"rate_limit", []string{"# rate_limit\n"}},
		{"down", []string{"# down\n"}},
		{"latency", []string{"# latency\n", "# latency\n"}}, // the toxic, then the hypothesis
		{"no_such_thing", nil},
		{"", nil},
		{"../docs", nil},
		{"../faults/rate_limit", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages := docs.Pages(c.name)
			if len(pages) != len(c.titles) {
				t.Fatalf("got %d pages, want %d", len(pages), len(c.titles))
			}
			for i, page := range pages {
				if !strings.HasPrefix(page, c.titles[i]) {
					t.Errorf("page %d starts %.30q, want %q", i, page, c.titles[i])
				}
			}
		})
	}
	if pages := docs.Pages("latency"); len(pages) == 2 && pages[0] == pages[1] {
		t.Error("the toxic and the hypothesis latency have the same page")
	}
}

func TestSummary(t *testing.T) {
	for _, c := range []struct{ kind, name, want string }{
		{"faults", "rate_limit", "Answers 429 before any content: too many requests for now."},
		{"hypotheses", "rate_limit", ""},
		{"faults", "no_such_thing", ""},
		{"", "docs", ""},
	} {
		t.Run(c.kind+" "+c.name, func(t *testing.T) {
			if got := docs.Summary(c.kind, c.name); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
