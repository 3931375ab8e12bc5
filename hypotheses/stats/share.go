package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Upper is the largest share that seeing k hits in n trials still allows.
// Without a trial it is 1.
func Upper(k, n int, confidence float64) float64 {
	if k >= n {
		return 1
	}
	return distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(confidence)
}

// Lower is the smallest share that seeing k hits in n trials still allows.
// Without a trial it is 0.
func Lower(k, n int, confidence float64) float64 {
	if k <= 0 || n <= 0 {
		return 0
	}
	return distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(1 - confidence)
}

// ShowsAtMost reports whether k hits in n trials show a share of at most share:
// whether Upper is within it, without the cost of computing it.
func ShowsAtMost(share float64, k, n int, confidence float64) bool {
	if k >= n {
		return share >= 1
	}
	return distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.CDF(share) >= confidence
}

// ShowsAbove reports whether k hits in n trials show a share above share:
// whether Lower is above it.
func ShowsAbove(share float64, k, n int, confidence float64) bool {
	if k <= 0 || n <= 0 {
		return share < 0
	}
	return distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.CDF(share) < 1-confidence
}

// Needed is the smallest number of trials in which k hits show a share of at
// most share: Needed(0.01, 0, 0.95) is 299. It is 0 where no number does: a
// share of 0 can never be shown.
func Needed(share float64, k int, confidence float64) int {
	if share <= 0 {
		return 0
	}
	if share >= 1 {
		return max(k, 1)
	}
	shows := func(n int) bool { return n > k && ShowsAtMost(share, k, n, confidence) }
	top := k + 1
	for !shows(top) {
		if top > math.MaxInt32 {
			return 0
		}
		top *= 2
	}
	return sort.Search(top, shows)
}

// Allowed is the largest number of hits in n trials that still shows a share
// of at most share, -1 where not even none does.
func Allowed(share float64, n int, confidence float64) int {
	return sort.Search(n+1, func(k int) bool { return !ShowsAtMost(share, k, n, confidence) }) - 1
}

// Refuting is the smallest number of hits in n trials that shows a share above
// share, n+1 where not even n do.
func Refuting(share float64, n int, confidence float64) int {
	return sort.Search(n+1, func(k int) bool { return ShowsAbove(share, k, n, confidence) })
}
