// Package dialect is the shape of a wire format: what a fake provider must
// know to speak as OpenAI, Anthropic or another API does.
//
// A [Dialect] says which calls are its own ([Dialect.Route]), reads them
// ([Dialect.Read]) and words answers and errors. It neither waits, breaks nor
// counts anything: package fakes does that, with the same code for every
// dialect. A new wire format is one package that implements [Dialect] and one
// line in the list of package fakes.
//
// Dialects keep no state; all their methods may be called concurrently.
package dialect
