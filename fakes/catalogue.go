package fakes

import (
	"github.com/brownout-chaos/brownout/fakes/dialect"
	"github.com/brownout-chaos/brownout/fakes/openai"
)

// Dialects lists the wire formats that every provider speaks. The first words
// the errors of calls that belong to none.
func Dialects() []dialect.Dialect {
	return []dialect.Dialect{
		openai.Dialect{},
	}
}
