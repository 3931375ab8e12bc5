package docs

import (
	"embed"
	"path"
	"strings"
)

//go:embed faults toxics hypotheses
var pages embed.FS

// Kinds are the kinds of things that have a page each, in the order in which
// [Pages] gives them: faults, toxics, hypotheses.
func Kinds() []string { return []string{"faults", "toxics", "hypotheses"} }

// Pages are the pages on name: one for most names, two for a name that is both
// a toxic and a hypothesis, such as latency. It is empty when there is none.
func Pages(name string) []string {
	found := []string{}
	for _, kind := range Kinds() {
		if page, ok := page(kind, name); ok {
			found = append(found, page)
		}
	}
	return found
}

// Summary is the first sentence of the page on name, a key of a fault, toxic
// or hypothesis as kind ("faults", "toxics" or "hypotheses") says. It is empty
// when there is no such page.
func Summary(kind, name string) string {
	text, _ := page(kind, name)
	_, body, _ := strings.Cut(text, "\n") // the title
	paragraph, _, _ := strings.Cut(strings.TrimSpace(body), "\n\n")
	sentence, _, more := strings.Cut(strings.ReplaceAll(paragraph, "\n", " "), ". ")
	if more {
		sentence += "."
	}
	return sentence
}

// page is one page. Its file name is the name; nothing else is looked at.
func page(kind, name string) (string, bool) {
	if strings.ContainsAny(name, "/\\") {
		return "", false
	}
	text, err := pages.ReadFile(path.Join(kind, name+".md"))
	return string(text), err == nil
}
