package hypotheses

import (
	"math"
	"strconv"
	"time"
)

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// percent is a share to two digits that count.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 2, 64) + "%" }

// percentExact is a share to a tenth of a percent, rounded down: 98.96 % is
// not 99.
func percentExact(share float64) string {
	return strconv.FormatFloat(math.Floor(1000*share+1e-9)/10, 'f', -1, 64) + "%"
}

// inWords is a length of time given in seconds, to the millisecond.
func inWords(seconds float64) string {
	return time.Duration(math.Round(seconds*1e3) * 1e6).String()
}

// worst is the answer of several together: one that is refuted decides, and
// what is open comes before what held.
func worst(states ...State) State {
	result := Held
	for _, s := range states {
		if s == Refuted {
			return Refuted
		}
		if s == Inconclusive {
			result = Inconclusive
		}
	}
	return result
}
