package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/report"
)

func inf() float64 { return math.Inf(1) }

// TestLines: the columns of the answers are aligned.
func TestLines(t *testing.T) {
	got := strings.Join(report.Lines(hypotheses.Verdict{Findings: []hypotheses.Finding{findings()[0], findings()[1], findings()[3]}}), "\n")
	want := `held          p99 latency of ask below 3s during fault   1.24s [1.11s, 1.38s]  540 requests, 0 over
refuted       attempts of ask at most 3                  9                     r-000123: 3 outer x 3 SDK attempts
inconclusive  p99 latency of search below 50ms in fault  12ms                  60 requests, 299 needed: raise bystanders to 15/s`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := report.Line(findings()[1]), "refuted  attempts of ask at most 3  9  r-000123: 3 outer x 3 SDK attempts"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestValue(t *testing.T) {
	none := []*float64{nil, nil}
	for _, c := range []struct {
		name, want string
		f          hypotheses.Finding
	}{
		{"seconds", "1.24s", hypotheses.Finding{Unit: "s", Value: number(1.2399)}},
		{"zero", "0s", hypotheses.Finding{Unit: "s", Value: number(0)}},
		{"milliseconds", "12ms", hypotheses.Finding{Unit: "s", Value: number(0.012)}},
		{"microseconds", "0.0405ms", hypotheses.Finding{Unit: "s", Value: number(0.0000405)}},
		{"almost a second", "1s", hypotheses.Finding{Unit: "s", Value: number(0.99999)}},
		{"minutes", "1235s", hypotheses.Finding{Unit: "s", Value: number(1234.6)}},
		{"just above the bound", "3.0004s", hypotheses.Finding{Unit: "s", Value: number(3.0004), Bound: number(3)}},
		{"on the bound", "3s", hypotheses.Finding{Unit: "s", Value: number(3), Bound: number(3)}},
		{"share", "33.3%", hypotheses.Finding{Unit: "share", Value: number(1.0 / 3)}},
		{"no share", "0%", hypotheses.Finding{Unit: "share", Value: number(0)}},
		{"all", "100%", hypotheses.Finding{Unit: "share", Value: number(1)}},
		{"almost all", "99.999%", hypotheses.Finding{Unit: "share", Value: number(0.99999)}},
		{"almost none", "0.000012%", hypotheses.Finding{Unit: "share", Value: number(0.00000012)}},
		{"count", "123456", hypotheses.Finding{Unit: "calls", Value: number(123456)}},
		{"mean", "1.21", hypotheses.Finding{Value: number(1.2139)}},
		{"never", "never [1.5s, never]", hypotheses.Finding{Unit: "s", Samples: 9, Interval: []*float64{number(1.5), nil}}},
		{"never at all", "never", hypotheses.Finding{Unit: "s", Samples: 9, Interval: none}},
		{"never, refuted", "never", hypotheses.Finding{Unit: "s", Samples: 9, Status: hypotheses.Refuted}},
		{"not judged", "-", hypotheses.Finding{Unit: "s", Samples: 9, Status: hypotheses.Inconclusive}},
		{"no samples", "-", hypotheses.Finding{Unit: "s", Interval: none}},
		{"unknown share", "-", hypotheses.Finding{Unit: "share", Samples: 9}},
		{"open below", "2s [-, 3s]", hypotheses.Finding{Unit: "s", Samples: 9, Value: number(2), Interval: []*float64{nil, number(3)}}},
		{"interval of shares", "50% [40%, 60%]", hypotheses.Finding{Unit: "share", Value: number(0.5), Interval: []*float64{number(0.4), number(0.6)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.f.Says, c.f.Detail = "x", "y"
			if got, want := report.Line(c.f), string(c.f.Status)+"  x  "+c.want+"  y"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestDetail(t *testing.T) {
	for _, c := range []struct {
		name, want string
		f          hypotheses.Finding
	}{
		{"one sample", "1 sample", hypotheses.Finding{Samples: 1}},
		{"reason", "3 samples: generator_late", hypotheses.Finding{Samples: 3, Reason: hypotheses.GeneratorLate}},
		{"evidence", "9 of 9, see r-000001", hypotheses.Finding{Status: hypotheses.Refuted, Detail: "9 of 9", Evidence: []string{"r-000001", "r-000002"}}},
		{"evidence in the detail", "r-000001: 9", hypotheses.Finding{Status: hypotheses.Refuted, Detail: "r-000001: 9", Evidence: []string{"r-000001"}}},
		{"evidence of what held", "fine", hypotheses.Finding{Status: hypotheses.Held, Detail: "fine", Evidence: []string{"r-000001"}}},
		{"control characters", "a [2Jb c", hypotheses.Finding{Detail: "a\n\x1b[2Jb\tc\x00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := report.Line(c.f); !strings.HasSuffix(got, "  "+c.want) {
				t.Errorf("got %q, want it to end with %q", got, c.want)
			}
		})
	}
}
