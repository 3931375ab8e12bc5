package faults

// MalformedChunk damages one chunk in the middle of a stream; the stream goes
// on after it. An answer that is not streamed has its body damaged, as by
// [MalformedJSON]. YAML: malformed_chunk: {after: 5 chunks, how: cut}.
type MalformedChunk struct {
	After Point  `json:"after,omitzero"` // zero: after 3 chunks
	How   string `json:"how,omitempty"`  // cut, syntax or not_object; "": cut
}

// Kind is "malformed_chunk".
func (MalformedChunk) Kind() string { return "malformed_chunk" }

// Check reports an unknown damage.
func (f MalformedChunk) Check() error { return checkDamage(f.How) }

// Script damages the chunk after After.
func (f MalformedChunk) Script() Script {
	return Script{Break: &Break{Act: ActCorrupt, After: midStream(f.After), How: damageOrCut(f.How)}}
}

// midStream is the point at which mid-stream faults happen unless told
// otherwise: after some content, so that a retry would repeat it.
func midStream(p Point) Point {
	if p.IsZero() {
		return Chunks(3)
	}
	return p
}
