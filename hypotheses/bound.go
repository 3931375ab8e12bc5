package hypotheses

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A unit is what the values of a kind are measured in.
type unit int

const (
	ofTime  unit = iota // seconds
	ofShare             // 0 to 1
	ofCount             // whole numbers
	ofRatio             // numbers from 0
)

// A boundRule is which bounds a kind takes.
type boundRule struct {
	unit     unit
	keys     []string // of Bound
	relative bool     // multiples of the baseline are taken
	optional bool     // a claim without a bound has a meaning
}

// twoSided are the keys of kinds whose value may be too low or too high.
func twoSided() []string { return []string{"below", "at_most", "above", "at_least"} }

type namedLimit struct {
	key, words string
	limit      *Limit
}

func (b Bound) list() []namedLimit {
	return []namedLimit{
		{"below", "below", b.Below}, {"at_most", "at most", b.AtMost},
		{"above", "above", b.Above}, {"at_least", "at least", b.AtLeast},
		{"within", "within", b.Within}, {"equals", "equal to", b.Equals},
	}
}

// words is the bound in words, with a leading space: " below 0.4 and above
// baseline".
func (b Bound) words() string {
	parts := []string{}
	for _, n := range b.list() {
		if n.limit != nil {
			parts = append(parts, n.words+" "+n.limit.String())
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, " and ")
}

// check reports a bound that the kind does not take.
func (b Bound) check(rule boundRule) error {
	set := 0
	for _, n := range b.list() {
		if n.limit == nil {
			continue
		}
		set++
		if !slices.Contains(rule.keys, n.key) {
			return fmt.Errorf("%s does not apply: want %s", n.key, orList(rule.keys))
		}
		if err := n.limit.check(n.key, rule); err != nil {
			return err
		}
	}
	if set == 0 && !rule.optional {
		return fmt.Errorf("no bound: want %s", orList(rule.keys))
	}
	return b.checkSides(rule.unit)
}

// checkSides reports bounds that contradict or repeat each other.
func (b Bound) checkSides(u unit) error {
	switch {
	case b.Below != nil && b.AtMost != nil:
		return fmt.Errorf("both below and at_most: want one of them")
	case b.Above != nil && b.AtLeast != nil:
		return fmt.Errorf("both above and at_least: want one of them")
	case b.Equals != nil && (b.Below != nil || b.AtMost != nil || b.Above != nil || b.AtLeast != nil):
		return fmt.Errorf("equals beside another bound: want one of them")
	case u == ofShare && isNumber(b.Below, 0), isNumber(b.Above, 1) && u == ofShare:
		return fmt.Errorf("no share is below 0 or above 1: want at_most: 0 or at_least: 1")
	case u == ofShare && (isNumber(b.AtMost, 1) || isNumber(b.AtLeast, 0)):
		return fmt.Errorf("every share is at most 1 and at least 0: want a bound that can be broken")
	}
	upper, lower := firstOf(b.Below, b.AtMost), firstOf(b.Above, b.AtLeast)
	if upper != nil && lower != nil && !upper.Relative() && !lower.Relative() && upper.Value < lower.Value {
		return fmt.Errorf("the upper bound %v is below the lower bound %v", upper, lower)
	}
	return nil
}

func isNumber(l *Limit, n float64) bool { return l != nil && !l.Relative() && l.Value == n }

func firstOf(a, b *Limit) *Limit {
	if a != nil {
		return a
	}
	return b
}

// check reports a limit without its unit, with a wrong one, or out of range.
func (l Limit) check(key string, rule boundRule) error {
	switch {
	case l.Relative() && !rule.relative:
		return fmt.Errorf("%s is %v: a multiple of the baseline does not apply here", key, l)
	case math.IsNaN(l.Value) || l.Value < 0 || l.Factor < 0:
		return fmt.Errorf("%s is %v: want 0 or more", key, l)
	case l.Relative() && l.Value == 0:
		return nil
	case rule.unit == ofTime && !l.Timed:
		return fmt.Errorf("%s is %v: the unit is missing, write %s", key, l, l.withSeconds())
	case rule.unit == ofTime && l.Value == 0:
		return fmt.Errorf("%s is %v: want a time above 0s", key, l)
	case rule.unit == ofShare && (l.Timed || l.Value > 1):
		return fmt.Errorf("%s is %v: want a share from 0 to 1, such as 0.40 or 40%%", key, l)
	case rule.unit == ofCount && (l.Timed || l.Value != math.Trunc(l.Value)):
		return fmt.Errorf("%s is %v: want a whole number, such as 3", key, l)
	case rule.unit == ofRatio && l.Timed:
		return fmt.Errorf("%s is %v: want a number, such as 1.5", key, l)
	}
	return nil
}

// withSeconds is what was probably meant by a limit without a unit.
func (l Limit) withSeconds() string { return l.String() + "s" }

func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func timeLimit(d time.Duration) *Limit    { l := Time(d); return &l }
func numberLimit(n float64) *Limit        { l := Number(n); return &l }
func baselineLimit(factor float64) *Limit { l := TimesBaseline(factor); return &l }
