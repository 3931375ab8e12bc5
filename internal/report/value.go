package report

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/brownout-chaos/brownout/hypotheses"
)

const (
	unknown  = "-"     // a value that is not known
	infinite = "never" // a time that is infinite
)

// measured is the value of a finding with its interval: "1.24s [1.11s, 1.38s]".
// A missing time is infinite where it was judged, and else not known.
func measured(f hypotheses.Finding) string {
	value := end(f, f.Value)
	judged := f.Status == hypotheses.Held || f.Status == hypotheses.Refuted || len(f.Interval) == 2
	if f.Value == nil && (f.Samples == 0 || !judged) {
		value = unknown
	}
	if len(f.Interval) != 2 || f.Interval[0] == nil && f.Interval[1] == nil {
		return value
	}
	low := unknown
	if f.Interval[0] != nil {
		low = end(f, f.Interval[0])
	}
	return value + " [" + low + ", " + end(f, f.Interval[1]) + "]"
}

// end is a value of a finding, or the upper end of its interval.
func end(f hypotheses.Finding, value *float64) string {
	switch {
	case value != nil:
		return quantity(*value, f.Unit, f.Bound)
	case f.Unit == "s":
		return infinite
	}
	return unknown
}

// quantity is x in its unit, with the digits that tell it from the bound and a
// share from all and nothing.
func quantity(x float64, unit string, bound *float64) string {
	others := []float64{}
	if bound != nil {
		others = append(others, *bound)
	}
	if unit == "share" {
		others = append(others, 1)
	}
	text := ""
	for digits := 3; digits <= 15; digits++ {
		text = inUnit(x, unit, digits)
		same := false
		for _, other := range others {
			same = same || other != x && text == inUnit(other, unit, digits)
		}
		if !same {
			break
		}
	}
	return text
}

func inUnit(x float64, unit string, digits int) string {
	switch unit {
	case "s":
		if ms := rounded(x*1000, digits); ms != 0 && math.Abs(ms) < 1000 {
			return plain(ms) + "ms"
		}
		return plain(rounded(x, digits)) + "s"
	case "share":
		return plain(rounded(x*100, digits)) + "%"
	}
	return plain(rounded(x, digits))
}

// rounded is x to so many significant digits; no digit before the point is
// lost.
func rounded(x float64, digits int) float64 {
	if whole := len(strconv.FormatFloat(math.Trunc(math.Abs(x)), 'f', -1, 64)); whole > digits {
		digits = whole
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return r
}

func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func share(x float64) string { return quantity(x, "share", nil) }

// count is a number with its noun: "1 call", "3 calls".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// oneLine makes foreign text fit to be printed: white space is one blank, and
// control characters, which could steer a terminal, are left out.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.C, r) {
			return -1
		}
		return r
	}, text)
}
