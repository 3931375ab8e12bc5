package load

import "encoding/json"

// maxKept bounds what is kept of the body or text of an answer for
// expressions.
const maxKept = 1 << 20

// kept is the start of a body or text.
type kept struct {
	bytes []byte
	over  bool // there was more than maxKept
}

func (k *kept) add(b []byte) {
	room := maxKept - len(k.bytes)
	k.over = k.over || len(b) > room
	k.bytes = append(k.bytes, b[:min(len(b), room)]...)
}

// json is the body as JSON, or nil.
func (k *kept) json() any {
	var value any
	if k.over || json.Unmarshal(k.bytes, &value) != nil {
		return nil
	}
	return value
}
