package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Totals are pairs of counts, one per unit that came by itself (a request, or
// a second of the run): Num leaf calls for Den requests. Both slices have one
// length.
type Totals struct {
	Num, Den []float64
}

// Add appends a unit.
func (t *Totals) Add(num, den float64) {
	t.Num = append(t.Num, num)
	t.Den = append(t.Den, den)
}

// Len is the number of units.
func (t Totals) Len() int { return len(t.Num) }

// Ratio is the total of Num over the total of Den, 0 where Den has none.
func (t Totals) Ratio() float64 { return quotient(sum(t.Num), sum(t.Den)) }

// Bounds of the work of one bootstrap.
const (
	replicates    = 2000
	minReplicates = 200
	maxDraws      = 20_000_000
)

// RatioInterval is how often the ratio of a is that of b, with the ends of its
// bootstrap interval, each with the one-sided confidence. Whole units are
// drawn, so what depends on each other within a unit stays together. The same
// seed gives the same interval. All is 0 where b has a ratio of 0.
func RatioInterval(a, b Totals, confidence float64, seed uint64) (value, low, high float64) {
	value = quotient(a.Ratio(), b.Ratio())
	if b.Ratio() == 0 || a.Len() == 0 {
		return 0, 0, 0
	}
	rounds := min(replicates, max(minReplicates, maxDraws/(a.Len()+b.Len())))
	random := rand.New(rand.NewPCG(seed, uint64(a.Len())))
	drawn := make([]float64, rounds)
	for i := range drawn {
		drawn[i] = math.Inf(1) // a draw of b without any says: without limit
		if base := b.draw(random); base > 0 {
			drawn[i] = a.draw(random) / base
		}
	}
	slices.Sort(drawn)
	return value, drawn[Rank(len(drawn), 1-confidence)-1], drawn[Rank(len(drawn), confidence)-1]
}

// draw is the ratio of as many units, drawn with replacement.
func (t Totals) draw(random *rand.Rand) float64 {
	num, den := 0.0, 0.0
	for range t.Len() {
		i := random.IntN(t.Len())
		num += t.Num[i]
		den += t.Den[i]
	}
	return quotient(num, den)
}

func quotient(num, den float64) float64 {
	if den == 0 {
		return 0
	}
	return num / den
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}
