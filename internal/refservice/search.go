package refservice

import (
	"net/http"
	"strings"
	"unicode"
)

// A document is something to search in.
type document struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

func documents() []document {
	return []document{
		{"Reset a password", "Choose \"forgot password\" on the sign-in page and follow the link in the mail."},
		{"Change a password", "Settings, Security, Password. Other sessions are signed out."},
		{"Second factor", "A lost device is replaced with one of the ten recovery codes."},
		{"Invoices", "Invoices are sent on the first of the month to the billing address."},
		{"Delete an account", "Settings, Account, Delete. It can be undone for thirty days."},
	}
}

// find gives the documents with any word of the text, best first.
func find(text string) []document {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	byHits := make([][]document, len(words)+1)
	for _, d := range documents() {
		hits := 0
		for _, w := range words {
			if strings.Contains(strings.ToLower(d.Title+" "+d.Text), w) {
				hits++
			}
		}
		byHits[hits] = append(byHits[hits], d)
	}
	found := []document{}
	for hits := len(words); hits > 0; hits-- {
		found = append(found, byHits[hits]...)
	}
	return found
}

// search answers from local data: whatever a provider does, it must not show
// here.
func search(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, map[string][]document{"results": find(r.URL.Query().Get("q"))})
}
