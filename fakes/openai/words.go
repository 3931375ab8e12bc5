package openai

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// words is the number of words in the content of a message: a string, or parts
// of which some have a text.
type words int

func (w *words) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		*w = words(countWords(data[1 : len(data)-1]))
	case '[':
		var parts []struct {
			Text words `json:"text"`
		}
		if err := json.Unmarshal(data, &parts); err != nil {
			return err
		}
		for _, p := range parts {
			*w += p.Text
		}
	}
	return nil
}

// countWords counts in the inside of a JSON string, where white space may be
// escaped.
func countWords(inside []byte) int {
	n, within := 0, false
	for i := 0; i < len(inside); i++ {
		space := inside[i] == ' '
		if inside[i] == '\\' {
			i++
			space = inside[i] == 'n' || inside[i] == 't' || inside[i] == 'r'
		}
		if !space && !within {
			n++
		}
		within = !space
	}
	return n
}

// text is what the model says, in tokens.
type text struct {
	word   string   // numbered words begin with it
	pieces []string // instead of numbered words
	len    int      // in tokens
}

// numbered is n words: "primary-1", " primary-2" and so on.
func numbered(provider string, n int) text { return text{word: provider + "-", len: n} }

// pieceBytes is the length of a token of JSON.
const pieceBytes = 8

// pieces cuts s into tokens of a few bytes, never within a character.
func pieces(s string) text {
	t := text{}
	for len(s) > 0 {
		n := min(pieceBytes, len(s))
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		t.pieces, s = append(t.pieces, s[:n]), s[n:]
	}
	t.len = len(t.pieces)
	return t
}

// first is the first n tokens.
func (t text) first(n int) text {
	t.len = n
	if t.pieces != nil {
		t.pieces = t.pieces[:n]
	}
	return t
}

// append appends token i to dst.
func (t text) append(dst []byte, i int) []byte {
	if t.pieces != nil {
		return append(dst, t.pieces[i]...)
	}
	if i > 0 {
		dst = append(dst, ' ')
	}
	dst = append(dst, t.word...)
	return strconv.AppendInt(dst, int64(i)+1, 10)
}

// whole appends all tokens to dst.
func (t text) whole(dst []byte) []byte {
	for i := range t.len {
		dst = t.append(dst, i)
	}
	return dst
}

// size is about the length of all tokens.
func (t text) size() int {
	const digits = 4 // and a space
	return t.len * (len(t.word) + max(digits, pieceBytes))
}

// escaped is the text as it stands inside a JSON string.
func (t text) escaped() text {
	t.word = escape(t.word)
	old := t.pieces
	t.pieces = nil
	for _, p := range old {
		t.pieces = append(t.pieces, escape(p))
	}
	return t
}

func escape(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(string(encode(s)), `"`), `"`)
}
