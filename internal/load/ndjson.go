package load

import "encoding/json"

// ndjson decodes one JSON value per line. Empty lines are no events; the last
// line needs no line end.
type ndjson struct{ lines lines }

func newNDJSON() *ndjson { return &ndjson{lines: lines{max: maxLine}} }

func (n *ndjson) feed(chunk []byte, emit func(event) bool) error {
	return n.lines.feed(chunk, func(line []byte) bool {
		return len(line) == 0 || emit(event{data: line})
	})
}

func (n *ndjson) finish(emit func(event) bool) ending {
	rest := n.lines.rest()
	switch {
	case len(rest) == 0:
		return endWhole
	case !json.Valid(rest):
		return endCut
	}
	emit(event{data: rest})
	return endWhole
}
