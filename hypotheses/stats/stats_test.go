package stats_test

import (
	"fmt"
	"math"
	"testing"

	moremath "github.com/aclements/go-moremath/stats"

	"github.com/brownout-chaos/brownout/hypotheses/stats"
)

func TestUpperAndLowerBracketTheShare(t *testing.T) {
	for _, c := range []struct {
		k, n         int
		confidence   float64
		lower, upper float64
	}{
		{0, 100, 0.95, 0, 0.0295},
		{0, 300, 0.95, 0, 0.0099},
		{0, 1000, 0.95, 0, 0.0030},
		{0, 30, 0.95, 0, 0.095},
		{30, 100, 0.975, 0.212, 0.400},
		{300, 1000, 0.975, 0.272, 0.329},
		{5, 5, 0.95, 0.549, 1},
		{0, 0, 0.95, 0, 1},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.k, c.n), func(t *testing.T) {
			lower, upper := stats.Lower(c.k, c.n, c.confidence), stats.Upper(c.k, c.n, c.confidence)
			if math.Abs(lower-c.lower) > 6e-4 || math.Abs(upper-c.upper) > 6e-4 {
				t.Errorf("got [%.4f, %.4f], want [%.4f, %.4f]", lower, upper, c.lower, c.upper)
			}
		})
	}
}

func TestNeededSamples(t *testing.T) {
	for _, c := range []struct {
		share      float64
		k          int
		confidence float64
		want       int
	}{
		{0.01, 0, 0.95, 299}, {0.01, 1, 0.95, 473}, {0.01, 2, 0.95, 628}, {0.01, 3, 0.95, 773},
		{0.01, 0, 0.99, 459}, {0.01, 1, 0.99, 662}, {0.01, 2, 0.99, 838}, {0.01, 3, 0.99, 1001},
		{0.05, 0, 0.95, 59}, {0.05, 1, 0.95, 93}, {0.05, 0, 0.99, 90}, {0.05, 1, 0.99, 130},
		{0.10, 0, 0.95, 29}, {0.10, 0, 0.99, 44},
		{0.001, 0, 0.95, 2995},
		{0, 0, 0.95, 0}, {1, 0, 0.95, 1},
	} {
		if got := stats.Needed(c.share, c.k, c.confidence); got != c.want {
			t.Errorf("Needed(%g, %d, %g) = %d, want %d", c.share, c.k, c.confidence, got, c.want)
		}
	}
}

func TestExceedancesThatPassAndFail(t *testing.T) {
	for _, c := range []struct {
		n          int
		confidence float64
		pass, fail int
	}{
		{100, 0.95, -1, 4}, {100, 0.99, -1, 5},
		{298, 0.95, -1, 7}, {299, 0.95, 0, 7}, {300, 0.95, 0, 7}, {300, 0.99, -1, 9},
		{459, 0.95, 0, 9}, {459, 0.99, 0, 11},
		{500, 0.95, 1, 10}, {500, 0.99, 0, 12},
		{1000, 0.95, 4, 16}, {1000, 0.99, 2, 19},
		{2000, 0.95, 12, 29}, {2000, 0.99, 9, 32},
		{5000, 0.95, 38, 63}, {5000, 0.99, 33, 68},
		{10000, 0.95, 83, 118}, {10000, 0.99, 77, 125},
	} {
		t.Run(fmt.Sprintf("%d at %g", c.n, c.confidence), func(t *testing.T) {
			if got := stats.Allowed(0.01, c.n, c.confidence); got != c.pass {
				t.Errorf("Allowed = %d, want %d", got, c.pass)
			}
			if got := stats.Refuting(0.01, c.n, c.confidence); got != c.fail {
				t.Errorf("Refuting = %d, want %d", got, c.fail)
			}
		})
	}
}

func TestRanksOfThePercentile(t *testing.T) {
	for _, c := range []struct{ n, low, high int }{
		{50, 48, 51}, {100, 97, 101}, {200, 195, 201}, {300, 293, 301}, {367, 359, 368}, {368, 360, 368},
		{500, 490, 500}, {1000, 983, 997}, {2000, 1971, 1989}, {5000, 4936, 4964},
		{10000, 9880, 9920}, {100000, 98938, 99062},
	} {
		low, high := stats.QuantileRanks(c.n, 0.99, 0.975)
		if low != c.low || high != c.high {
			t.Errorf("n = %d: ranks %d and %d, want %d and %d", c.n, low, high, c.low, c.high)
		}
	}
}

// The ranks and the bounds of the share are two forms of one test.
func TestRanksAreTheDualOfTheShare(t *testing.T) {
	for _, q := range []float64{0.5, 0.9, 0.99} {
		for _, n := range []int{1, 29, 30, 59, 298, 299, 473, 1000} {
			low, high := stats.QuantileRanks(n, q, 0.95)
			if got, want := n-high, stats.Allowed(1-q, n, 0.95); got != want {
				t.Errorf("q %g, n %d: high rank leaves %d above it, %d are allowed", q, n, got, want)
			}
			if got, want := n-low+1, stats.Refuting(1-q, n, 0.95); got != want {
				t.Errorf("q %g, n %d: low rank has %d from it on, %d refute", q, n, got, want)
			}
		}
	}
}

// go-moremath searches the shortest interval of the whole confidence; ours has
// a tail of the same size at each end. Both cover at least what they promise,
// and for the median, where the distribution is symmetric, they agree.
func TestRanksAgreeWithMoremath(t *testing.T) {
	for _, n := range []int{10, 20, 25, 29} {
		theirs := moremath.QuantileCI(n, 0.5, 0.95)
		low, high := stats.QuantileRanks(n, 0.5, 0.975)
		if high-low < theirs.HiOrder-theirs.LoOrder || high-low > theirs.HiOrder-theirs.LoOrder+1 {
			t.Errorf("n = %d: [%d, %d], go-moremath has [%d, %d]", n, low, high, theirs.LoOrder, theirs.HiOrder)
		}
	}
	for _, n := range []int{400, 1000, 5000} {
		theirs := moremath.QuantileCI(n, 0.99, 0.95)
		low, high := stats.QuantileRanks(n, 0.99, 0.975)
		if abs(low-theirs.LoOrder) > 3 || abs(high-theirs.HiOrder) > 3 {
			t.Errorf("n = %d: [%d, %d], go-moremath has [%d, %d]", n, low, high, theirs.LoOrder, theirs.HiOrder)
		}
	}
}

func TestQuantileIsAValueOfTheSample(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		values []float64
		q      float64
		want   float64
	}{
		{"nothing", nil, 0.99, 0},
		{"one", []float64{7}, 0.99, 7},
		{"unsorted", []float64{3, 1, 2}, 0.5, 2},
		{"nearest rank, not interpolated", []float64{1, 2, 3, 4}, 0.5, 2},
		{"largest", []float64{1, 2, 3, 4}, 1, 4},
		{"infinite", []float64{1, inf, 2}, 0.99, inf},
		{"rounding adds no rank", hundred(), 0.07, 7},
	} {
		if got := stats.Quantile(c.values, c.q); got != c.want {
			t.Errorf("%s: got %g, want %g", c.name, got, c.want)
		}
	}
}

func TestRatioInterval(t *testing.T) {
	constant, varied, base := stats.Totals{}, stats.Totals{}, stats.Totals{}
	for i := range 300 {
		constant.Add(27, 1)
		varied.Add(float64(1+i%3), 1)
		base.Add(1, 1)
	}
	if v, low, high := stats.RatioInterval(constant, base, 0.95, 1); v != 27 || low != 27 || high != 27 {
		t.Errorf("constant counts: %g [%g, %g], want exactly 27", v, low, high)
	}
	v, low, high := stats.RatioInterval(varied, base, 0.95, 1)
	// The standard error of the mean of 1, 2, 3 over 300 is 0.047.
	if v != 2 || math.Abs(low-1.92) > 0.02 || math.Abs(high-2.08) > 0.02 {
		t.Errorf("1, 2, 3: %g [%g, %g], want 2 [1.92, 2.08]", v, low, high)
	}
	if _, again, _ := stats.RatioInterval(varied, base, 0.95, 1); again != low {
		t.Errorf("the same seed gave %g and %g", low, again)
	}
	differ := false
	for seed := range uint64(20) {
		_, other, _ := stats.RatioInterval(varied, base, 0.95, seed)
		differ = differ || other != low
	}
	if !differ {
		t.Error("twenty seeds drew the same")
	}
	if v, _, _ := stats.RatioInterval(varied, stats.Totals{}, 0.95, 1); v != 0 {
		t.Errorf("no baseline: %g, want 0", v)
	}
}

func hundred() []float64 {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i + 1)
	}
	return values
}

func abs(n int) int { return max(n, -n) }
