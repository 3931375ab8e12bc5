package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

func callLines(c hypotheses.CallReport) []string {
	if c.Total == 0 {
		return []string{"none reached a provider"}
	}
	providers := []string{}
	for _, name := range slices.Sorted(maps.Keys(c.ByProvider)) {
		providers = append(providers, fmt.Sprintf("%s %d", name, c.ByProvider[name]))
	}
	amplification := unknown
	if c.Amplification > 0 {
		amplification = inUnit(c.Amplification, "", 3) + " times the baseline"
	}
	method := string(c.Method)
	if method == "" {
		method = unknown
	}
	lines := []string{
		fmt.Sprintf("%d in all: %s", c.Total, strings.Join(providers, ", ")),
		perRequestLine(c),
		"amplification: " + amplification,
		fmt.Sprintf("attribution by %s %s: %d of %s, %s, %d foreign",
			method, share(c.Share), c.Attributed, count(c.Total, "call"), count(c.Orphans, "orphan"), c.Foreign),
	}
	if c.WastedTokens > 0 {
		lines = append(lines, count(c.WastedTokens, "token")+" generated for callers that had left")
	}
	return lines
}

func perRequestLine(c hypotheses.CallReport) string {
	p := c.PerRequest
	if c.Attributed == 0 || len(p.Histogram) == 0 {
		return "per request: not known, no call was matched with its request"
	}
	return fmt.Sprintf("per request: mean %s, p99 %d, max %d (%s)", inUnit(p.Mean, "", 3), p.P99, p.Max, histogramWords(p.Histogram))
}

// mostBars is how many numbers of calls are told apart; the rest are one.
const mostBars = 6

// histogramWords is a distribution in words: "1010 requests made 1, 150 made
// 2, 9 made 7 to 12".
func histogramWords(histogram map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(histogram), func(a, b string) int {
		x, _ := strconv.Atoi(a) // what is no number comes first, and is shown
		y, _ := strconv.Atoi(b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	})
	words, rest := []string{}, 0
	for i, key := range keys {
		if i < mostBars || len(keys) == mostBars+1 {
			noun := ""
			if i == 0 {
				noun = " requests"
			}
			words = append(words, fmt.Sprintf("%d%s made %s", histogram[key], noun, key))
			continue
		}
		rest += histogram[key]
	}
	if rest > 0 {
		words = append(words, fmt.Sprintf("%d made %s to %s", rest, keys[mostBars], keys[len(keys)-1]))
	}
	return strings.Join(words, ", ")
}
