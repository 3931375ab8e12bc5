package stats

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Quantile is the value at the nearest rank: the smallest one that at least a
// share of q of all values does not exceed. Nothing is interpolated, and
// values may be infinite. It is 0 without values; values need not be sorted
// and stay as they are.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[Rank(len(sorted), q)-1]
}

// Rank is the nearest rank of the q quantile among n values, from 1 to n.
func Rank(n int, q float64) int {
	// 0.07 * 100 is a little above 7: what only rounding adds is no rank.
	rank := int(math.Ceil(q*float64(n) - 1e-9))
	return min(max(rank, 1), n)
}

// QuantileRanks are the ranks, from 1, of the values between which the true q
// quantile lies, each with the one-sided confidence. Low is 0 and high n+1
// where the sample is too small for that end.
//
// They are the dual of [Upper] and [Lower]: the value at rank high is below a
// limit exactly when the share of values that reach it is shown to be at most
// 1-q.
func QuantileRanks(n int, q, confidence float64) (low, high int) {
	if n == 0 || q >= 1 {
		return 0, n + 1
	}
	b := distuv.Binomial{N: float64(n), P: q}
	below := func(rank int) float64 { return b.CDF(float64(rank) - 1) }
	high = 1 + sort.Search(n, func(i int) bool { return below(i+1) >= confidence })
	low = sort.Search(n, func(i int) bool { return below(i+1) > 1-confidence })
	return low, high
}
