package report_test

import (
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/hypotheses"
)

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name, want string
		calls      hypotheses.CallReport
	}{
		{"none", "leaf calls    none reached a provider\n", hypotheses.CallReport{}},
		{"not matched", "per request: not known, no call was matched with its request\n",
			hypotheses.CallReport{Total: 9, Method: hypotheses.RungTotals, PerRequest: hypotheses.CallsPerRequest{Histogram: map[string]int{"0": 9}}}},
		{"no ladder", "attribution by - 0%: 0 of 1 call, 2 orphans, 0 foreign\n", hypotheses.CallReport{Total: 1, Orphans: 2}},
		{"no baseline", "amplification: -\n", hypotheses.CallReport{Total: 9}},
		{"as many as are told apart", "(1 requests made 2, 1 made 3, 1 made 4, 1 made 5, 1 made 6, 1 made 7, 1 made 10)\n",
			histogram("2", "3", "4", "5", "6", "7", "10")},
		{"one more", "1 made 7, 2 made 10 to 81)\n", histogram("2", "3", "4", "5", "6", "7", "10", "81")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(strings.Fields(write(t, "text", hypotheses.Verdict{LeafCalls: c.calls})), " ")
			if want := strings.Join(strings.Fields(c.want), " "); !strings.Contains(got, want) {
				t.Errorf("got\n%s\nwant it to contain\n%s", got, want)
			}
		})
	}
}

func histogram(keys ...string) hypotheses.CallReport {
	h := map[string]int{}
	for _, key := range keys {
		h[key] = 1
	}
	return hypotheses.CallReport{Total: len(keys), Attributed: len(keys), PerRequest: hypotheses.CallsPerRequest{Histogram: h}}
}
