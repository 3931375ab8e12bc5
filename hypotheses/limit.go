package hypotheses

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Limit is one side of a [Bound]: an absolute value, or a multiple of the
// baseline's value plus an absolute one. Its text is 3s, 0.40, 40%, 3,
// baseline, 1.5x baseline, or 1.5x baseline + 50ms.
type Limit struct {
	Factor float64 // of the baseline; 0: the limit is absolute
	Value  float64 // seconds where Timed, else a number; a share is 0 to 1
	Timed  bool    // Value was written with a unit of time
}

// Number is an absolute limit without a unit.
func Number(n float64) Limit { return Limit{Value: n} }

// Time is an absolute limit of time.
func Time(d time.Duration) Limit { return Limit{Value: d.Seconds(), Timed: true} }

// TimesBaseline is a multiple of the baseline's value.
func TimesBaseline(factor float64) Limit { return Limit{Factor: factor} }

// Relative reports whether the limit needs a baseline.
func (l Limit) Relative() bool { return l.Factor != 0 }

// Resolve is the limit in absolute terms, given the baseline's value.
func (l Limit) Resolve(baseline float64) float64 { return l.Factor*baseline + l.Value }

// String writes the limit as [Limit.UnmarshalText] reads it.
func (l Limit) String() string {
	if !l.Relative() {
		return l.absolute()
	}
	s := "baseline"
	if l.Factor != 1 {
		s = trimFloat(l.Factor) + "x baseline"
	}
	if l.Value == 0 {
		return s
	}
	return s + " + " + l.absolute()
}

func (l Limit) absolute() string {
	if l.Timed {
		return time.Duration(math.Round(l.Value * 1e9)).String()
	}
	return trimFloat(l.Value)
}

func trimFloat(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// MarshalText writes the limit as [Limit.String] does.
func (l Limit) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads a limit.
func (l *Limit) UnmarshalText(text []byte) error {
	base, plus, hasPlus := strings.Cut(string(text), "+")
	base = strings.TrimSpace(base)
	factorText, relative := strings.CutSuffix(base, "baseline")
	if !relative {
		if hasPlus {
			return limitError(text)
		}
		return l.setAbsolute(base, text)
	}
	*l = Limit{}
	if hasPlus {
		if err := l.setAbsolute(strings.TrimSpace(plus), text); err != nil {
			return err
		}
	}
	l.Factor = 1
	if factorText = strings.TrimSpace(factorText); factorText == "" {
		return nil
	}
	number, times := strings.CutSuffix(factorText, "x")
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !times || !(f > 0) || f > 1e6 {
		return limitError(text)
	}
	l.Factor = f
	return nil
}

func (l *Limit) setAbsolute(s string, whole []byte) error {
	if percent, ok := strings.CutSuffix(s, "%"); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if err != nil || !(f >= 0) || f > 1e9 {
			return limitError(whole)
		}
		*l = Limit{Value: f / 100}
		return nil
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		if !(f >= 0) || f > 1e15 {
			return fmt.Errorf("%q is not a bound: want 0 or more", whole)
		}
		*l = Limit{Value: f}
		return nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return limitError(whole)
	}
	if d < 0 {
		return fmt.Errorf("%q is negative: want 0s or more", whole)
	}
	*l = Time(d)
	return nil
}

func limitError(text []byte) error {
	return fmt.Errorf("%q is not a bound: want a value with its unit, such as 3s, 0.40, 40%%, 3, baseline, 1.5x baseline or 1.5x baseline + 50ms", text)
}
