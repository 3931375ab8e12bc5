package hypotheses_test

import (
	"slices"
	"strings"
	"testing"

	. "github.com/brownout-chaos/brownout/hypotheses"
)

func TestPathsOfExpressions(t *testing.T) {
	e := Experiment{Hypotheses: Claims(
		Share("ask").Where(`body.items[0].id == "a" and header["X-Cache"] == "hit"`),
		Calls("ask").Where(`text contains "sorry" and call.status == 200`),
		LeafCalls("ask").Where("body.items[0].id == nil").AtMost(1),
		LeafCalls("ask").AtMost(1),
		Errors("ask").AtMost(0),
	)}
	if got, want := e.Paths(), []string{"body.items.0.id", "header.x-cache", "text"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExpressionsSeeWhatWasRecorded(t *testing.T) {
	s := fullScene()
	s.Run.Recorded = []string{"body", "header.x-cache", "text"}
	s.each("ask", "fault", 60, func(q *Request) {
		q.Seen = map[string]any{
			"body": map[string]any{"items": []any{map[string]any{"id": "a"}}}, "header.x-cache": "hit", "text": "so sorry",
		}
	})
	part := fullScene()
	part.Run.Recorded = []string{"body.items.0.id", "body.n"}
	part.each("ask", "fault", 60, func(q *Request) { q.Seen = map[string]any{"body.items.0.id": "a", "body.n": nil} })
	for _, c := range []struct {
		scene *scene
		where string
	}{
		{s, `body.items[0].id == "a"`},
		{s, `body != nil`},
		{s, `header["X-Cache"] == "hit"`},
		{s, `text contains "sorry"`},
		{s, `any(body.items ?? [], .id == "a")`},
		{part, `body.items[0].id == "a"`},
		{part, `body.items[0].id != nil and body.n == nil`},
	} {
		t.Run(c.where, func(t *testing.T) {
			f := c.scene.one(Share("ask").Where(c.where).AtMost(0.4))
			if f.Status != Held || f.Value == nil || *f.Value != 0.2 {
				t.Errorf("%s %s %s, want 60 of 300", f.Status, f.Reason, f.Detail)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	limit := func(text string) *Limit {
		l := &Limit{}
		if err := l.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return l
	}
	unitless, percent := Latency("ask"), Errors("ask")
	unitless.Bound.Below, percent.Bound.AtMost = limit("3"), limit("50ms")
	plus := Latency("ask")
	plus.Bound.Below = limit("1.5x baseline + 3")
	within := Attempts("ask").AtMost(3)
	within.Bound.Within = limit("3s")
	both := Attempts("ask").AtMost(3)
	both.Bound.Below = limit("3")
	half := LeafCalls("ask")
	half.Bound.AtMost = limit("2.5")
	for _, c := range []struct {
		claim Hypothesis
		want  string // "": nothing is wrong
	}{
		{Latency("ask").Below(3 * sec), ""},
		{unitless, "latency: below is 3: the unit is missing, write 3s"},
		{plus, "latency: below is 1.5x baseline + 3: the unit is missing"},
		{Latency("ask"), "latency: no bound: want below, at_most, above or at_least"},
		{Latency("ask").Quantile(1.5).Below(sec), "latency: quantile is 1.5"},
		{Latency("ask").Below(sec).AtMost(sec), "both below and at_most"},
		{Latency("ask").Below(sec).Above(2 * sec), "the upper bound 1s is below the lower bound 2s"},
		{Latency("ask").Below(0), "want a time above 0s"},
		{Latency("ask").Below(sec).Outcome("good"), `latency: outcome is "good": want any, ok, failed or degraded`},
		{Latency("ask").Below(sec).In("warmup"), "that phase is not judged"},
		{Latency("ask").Below(sec).After(sec), "after without a phase"},
		{Latency("ask").Below(sec).Confidence(95), "confidence is 95"},
		{Latency("ask").Below(sec).MinSamples(0), "min_samples is 0"},
		{FirstToken("ask").Below(sec), ""},
		{ChunkGap("ask").Quantile(-1).Below(sec), "chunk_gap: quantile is -1"},
		{percent, "errors: at_most is 50ms: want a share from 0 to 1, such as 0.40 or 40%"},
		{Errors("ask").AtMost(40), "errors: at_most is 40: want a share"},
		{Errors("ask").AtMost(1), "want a bound that can be broken"},
		{Errors("ask").Below(0), "no share is below 0"},
		{Fallbacks("ask").Below(0.4).AboveBaseline(1), ""},
		{Goodput("ask").Within(sec).AtLeast(0.95), ""},
		{Goodput("ask").Within(sec), "goodput: no bound: want above or at_least"},
		{Share("ask").Where("status == 429").Below(0.1), ""},
		{Share("ask").Below(0.1), "share: where is missing"},
		{Share("ask").Where("statuss == 429").Below(0.1), "share: where: "},
		{Share("ask").Where("call.status == 429").Below(0.1), "share: where: "},
		{Calls("ask").Where("call.status == 429").AtMost(1), ""},
		{Calls("ask").AtMost(1), "calls: where is missing"},
		{Calls("ask").Where("true").Per(-sec).AtMost(1), "calls: per is -1s"},
		{Attempts("ask").AtMost(3), ""},
		{within, "attempts: within does not apply: want below or at_most"},
		{both, "both below and at_most"},
		{LeafCalls("ask").AtMostBaseline(3), ""},
		{half, "leaf_calls: at_most is 2.5: want a whole number"},
		{LeafCalls("ask").AtMost(3).Equals(2), "equals beside another bound"},
		{Amplification("ask").AtMost(1.5), ""},
		{Recovery("ask").Within(5 * sec), ""},
		{Recovery("ask"), "recovery: no bound: want within"},
		{InFlight("").To("primary").AtMost(40), ""},
		{Status("ask").Only(200, 429), ""},
		{Status("ask").Never(500).AtMost(0.01), ""},
		{Status("ask").Only(200).AtMost(0.01), "status: at_most does not apply: want above or at_least"},
		{Status("ask"), "exactly one of only and never"},
		{Status("ask").Only(99), "99 is no status"},
	} {
		err := c.claim.Check()
		switch {
		case err == nil && c.want != "":
			t.Errorf("%s: no error, want %q", c.claim.Says(), c.want)
		case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.claim.Says(), err, c.want)
		}
	}
}

// Outcomes, which a file could give to any kind, are refused where the kind is
// about outcomes itself.
func TestCheckRefusesOutcomes(t *testing.T) {
	e, r := Errors("ask").AtMost(0), Recovery("ask").Within(sec)
	e.ErrorsSpec.Outcome, r.RecoverySpec.Outcome = "ok", "ok"
	for _, h := range []Hypothesis{e, r} {
		if err := h.Check(); err == nil || !strings.Contains(err.Error(), "outcome does not apply") {
			t.Errorf("%s: %v", h.Kind(), err)
		}
	}
	r = Recovery("ask").Within(sec)
	r.RecoverySpec.In.Phase = "fault"
	if err := r.Check(); err == nil || !strings.Contains(err.Error(), "in does not apply") {
		t.Error(err)
	}
}

func TestSays(t *testing.T) {
	for want, h := range map[string]Hypothesis{
		"p99 latency of ask below 3s":                                  Latency("ask").Below(3 * sec),
		"p99 latency of search below 50ms in fault":                    Latency("search").Below(sec / 20).In("fault"),
		"p99.9 latency below 3s":                                       Latency("").Quantile(0.999).Below(3 * sec),
		"max first token of ok chat at most 2s":                        FirstToken("chat").Quantile(1).AtMost(2 * sec).Outcome("ok"),
		"p50 chunk gap of chat below 1.5x baseline in fault after 2s":  ChunkGap("chat").Quantile(0.5).BelowBaseline(1.5).In("fault").After(2 * sec),
		"errors of bystanders at most 0":                               Errors(Bystanders).AtMost(0),
		"fallbacks of ask below 0.4 and above baseline":                Fallbacks("ask").Below(0.4).AboveBaseline(1),
		"goodput of ask at least 0.95 and within 2s":                   Goodput("ask").Within(2 * sec).AtLeast(0.95),
		"share of ask with status == 429 below 0.1":                    Share("ask").Where("status == 429").Below(0.1),
		"calls of ask with call.status == 429 per 1s at most 5":        Calls("ask").Where("call.status == 429").Per(sec).AtMost(5),
		"attempts of ask at most 3":                                    Attempts("ask").AtMost(3),
		"leaf calls of ask to primary of api chat at most 3x baseline": LeafCalls("ask").To("primary").API("chat").AtMostBaseline(3),
		"amplification of ask at most 1.5":                             Amplification("ask").AtMost(1.5),
		"recovery of ask within 5s":                                    Recovery("ask").Within(5 * sec),
		"calls in flight to primary at most 40":                        InFlight("").To("primary").AtMost(40),
		"status of ask only 200, 429":                                  Status("ask").Only(200, 429),
		"status of ask never 500":                                      Status("ask").Never(500),
		"status of ask 500 at most 0.01":                               Status("ask").Never(500).AtMost(0.01),
	} {
		if got := h.Says(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
