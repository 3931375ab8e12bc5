package load

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
)

// mixStream keeps the draws of endpoints apart from those of arrivals.
const mixStream = 0x6d69786d69786d69

// A mix draws endpoints by weight.
type mix struct {
	names []string  // sorted
	upTo  []float64 // sum of the weights up to and with each name
}

func newMix(weights map[string]float64) mix {
	m := mix{names: slices.Sorted(maps.Keys(weights))}
	sum := 0.0
	for _, name := range m.names {
		sum += weights[name]
		m.upTo = append(m.upTo, sum)
	}
	return m
}

func evenMix(names []string) mix {
	weights := map[string]float64{}
	for _, name := range names {
		weights[name] = 1
	}
	return newMix(weights)
}

// draw is the endpoint of a request: it depends on the seed and the number of
// the request alone. It is "" in a mix of nothing.
func (m mix) draw(seed uint64, seq int) string {
	if len(m.names) == 0 {
		return ""
	}
	x := rand.New(rand.NewPCG(seed^mixStream, uint64(seq))).Float64() * m.upTo[len(m.upTo)-1]
	i := sort.Search(len(m.upTo), func(i int) bool { return x < m.upTo[i] })
	return m.names[min(i, len(m.names)-1)]
}
