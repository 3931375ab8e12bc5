// Package strict reads and writes YAML (and JSON, which is YAML) without
// guessing: an unknown key, a missing unit, a number where a text is meant, a
// second document or a merge key is one clear error with file, line, column,
// the line itself and a hint.
//
// [Decode] fills Go values by their json tags and understands three things
// that encoding/json does not: embedded structs tagged `json:",inline"`; types
// with UnmarshalYAML(func(any) error) error, for keys that are a scalar or a
// mapping; and interface fields tagged `oneof:"NAME"`, for mappings in which one
// key of a catalogue says what the entry is. [Encode] writes what Decode reads.
//
// A document is at most 1 MiB, 20,000 tokens and 32 levels. The limits are
// looked at before anything is parsed, since parsing is where bombs go off.
package strict
