package fakes

// A draw is the source of all chance: it depends on the seed, the rule, the
// user request and the attempt, and on nothing that happens between them.
type draw struct {
	seed    uint64
	rule    string
	key     string
	attempt int
}

// at is a uniform number from [0, 1) for the nth use of a purpose.
func (d draw) at(purpose string, n int) float64 {
	h := digest(d.seed, d.rule, d.key, purpose)
	h = mix(h ^ mix(uint64(d.attempt)<<32^uint64(n)))
	return float64(h>>11) / (1 << 53)
}

// digest is FNV-1a over the parts, mixed so that every bit counts.
func digest(seed uint64, parts ...string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := offset ^ mix(seed)
	for _, part := range parts {
		for i := range len(part) {
			h = (h ^ uint64(part[i])) * prime
		}
		h = (h ^ 0xff) * prime // no part contains it: "ab"+"c" is not "a"+"bc"
	}
	return mix(h)
}

// mix is the finaliser of SplitMix64.
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
