package dialect

import (
	"bytes"

	"github.com/brownout-chaos/brownout/faults"
)

// DamageJSON is text with its JSON object (from the first brace to the last)
// damaged as how says, one of the faults.Damage constants; what is around the
// object stays. Text without an object comes back as it is.
func DamageJSON(text []byte, how string) []byte {
	start, last := bytes.IndexByte(text, '{'), bytes.LastIndexByte(text, '}')
	if start < 0 || last < start {
		return bytes.Clone(text)
	}
	before, object, after := text[:start], text[start:last+1], text[last+1:]
	switch how {
	case faults.DamageSyntax:
		return bytes.Join([][]byte{before, []byte("{"), object, after}, nil)
	case faults.DamageNotObject:
		return bytes.Join([][]byte{before, []byte("["), object, []byte("]"), after}, nil)
	default:
		return bytes.Join([][]byte{before, object[:len(object)/2], after}, nil)
	}
}
