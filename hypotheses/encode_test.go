package hypotheses_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
)

// TestEncodeReadsBack writes experiments with every kind of fault, toxic and
// hypothesis, and reads them back.
func TestEncodeReadsBack(t *testing.T) {
	dir := write(t, serviceFile, experimentFile)
	base, err := hypotheses.ParseExperiment(filepath.Join(dir, "experiment.yaml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := draws{t}
		e := base
		e.Title = "x" + d.text("title")
		e.Seed = rapid.Uint64().Draw(t, "seed")
		e.Faults = append(base.Faults[:0:0], base.Faults...)
		for _, fault := range d.faults() {
			e.Faults = append(e.Faults, d.rule(fault))
		}
		e.Hypotheses = hypotheses.Claims(d.claims()...)
		e.Service.Endpoints = map[string]hypotheses.Endpoint{
			"ask":    {Request: "GET /" + d.word(), Body: d.text("body"), Headers: map[string]string{"X-A": d.text("header")}, Timeout: new(d.time())},
			"chat":   {Request: "GET /", Stream: hypotheses.Stream{Preset: "openai"}},
			"search": base.Service.Endpoints["search"],
		}
		data, err := hypotheses.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := hypotheses.ParseExperimentBytes("written.yaml", data, dir, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if !reflect.DeepEqual(e, back) {
			t.Fatalf("wrote %+v\nread  %+v\n%s", e, back, data)
		}
	})
}

// TestEveryKindIsDrawn: the property above is about the whole catalogues.
func TestEveryKindIsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, drawn := draws{t}, map[string]bool{}
		for _, f := range d.faults() {
			drawn[f.Kind()] = true
			if n, ok := f.(faults.Network); ok {
				drawn["network "+n.Toxic.Kind()] = true
			}
		}
		for _, c := range d.claims() {
			drawn["claim "+c.Kind()] = true
		}
		for _, f := range faults.Catalogue() {
			if !drawn[f.Kind()] {
				t.Errorf("the fault %s is not drawn", f.Kind())
			}
		}
		for _, toxic := range faults.Toxics() {
			if !drawn["network "+toxic.Kind()] {
				t.Errorf("the toxic %s is not drawn", toxic.Kind())
			}
		}
		for _, h := range hypotheses.Catalogue() {
			if !drawn["claim "+h.Kind()] {
				t.Errorf("the hypothesis %s is not drawn", h.Kind())
			}
		}
	})
}

// draws are the parts of experiments, drawn.
type draws struct{ *rapid.T }

func (d draws) number(low, high int) int { return rapid.IntRange(low, high).Draw(d.T, "number") }

func (d draws) share() float64 { return rapid.Float64Range(0.001, 0.999).Draw(d.T, "share") }

func (d draws) word() string { return rapid.StringMatching("[a-z]{0,8}").Draw(d.T, "word") }

// text is any text in which nothing is replaced.
func (d draws) text(label string) string {
	return rapid.String().Filter(func(s string) bool { return !strings.Contains(s, "${") }).Draw(d.T, label)
}

func (d draws) time() time.Duration {
	return time.Duration(rapid.Int64Range(1, 1e13).Draw(d.T, "time"))
}

// seconds is a time that a limit keeps to the nanosecond.
func (d draws) seconds() time.Duration { return time.Duration(d.number(1, 1e7)) * time.Millisecond }

func (d draws) point() faults.Point {
	return []faults.Point{{}, faults.Chunks(d.number(1, 99)), faults.Bytes(int64(d.number(1, 1e6))), {Time: d.time()}}[d.number(0, 3)]
}

func (d draws) retry() faults.RetryAfter {
	n := d.number(0, 1e6)
	seconds, ms := time.Duration(n)*time.Second, time.Duration(n)*time.Millisecond
	return []faults.RetryAfter{
		{}, faults.After(seconds), faults.AfterDate(d.time()), faults.AfterMS(ms),
		{Form: faults.RetryRaw, Raw: d.text("raw")},
		{Form: faults.RetryBoth, Wait: seconds, MS: ms},
	}[d.number(0, 5)]
}

func (d draws) faults() []faults.Fault {
	list := []faults.Fault{
		faults.RateLimit{RetryAfter: d.retry(), Code: d.text("code")}, faults.Unavailable{Code: d.number(500, 599), RetryAfter: d.retry()},
		faults.Status{Code: d.number(200, 599), Body: d.text("answer"), Headers: map[string]string{"x-a": d.text("value")}},
		faults.Overloaded{RetryAfter: d.retry()}, faults.QuotaExhausted{Code: d.text("quota")},
		faults.SlowFirstToken{Delay: d.time(), Headers: faults.HeadersEarly}, faults.Hang{Headers: true}, faults.Empty{}, faults.HTMLPage{Code: 502},
		faults.MalformedJSON{How: faults.DamageSyntax}, faults.Stall{After: d.point(), KeepAlive: d.time(), Resume: d.time()},
		faults.Truncate{After: d.point(), End: faults.EndFIN}, faults.MalformedChunk{After: d.point()}, faults.StreamError{After: d.point()},
		faults.SlowTokens{Quantiles: faults.Quantiles{P50: d.time(), P99: 1e14}}, faults.Reset{},
	}
	for _, toxic := range []faults.Toxic{
		faults.Latency{Latency: d.time(), Jitter: d.time()}, faults.Bandwidth{Rate: faults.ByteRate(d.number(1, 1e9))},
		faults.Timeout{Timeout: d.time()}, faults.ResetPeer{}, faults.Down{},
	} {
		list = append(list, faults.Network{Toxic: toxic})
	}
	return list
}

// rule is a rule with the fault that fits the service and the phases.
func (d draws) rule(fault faults.Fault) faults.Rule {
	rule := faults.On(fault).During("fault").Toward("fallback")
	rule.Name = d.text("name")
	if network, ok := fault.(faults.Network); ok {
		if _, down := network.Toxic.(faults.Down); down {
			return rule.Toward("vectors")
		}
		return rule.Toward("vectors").Share(d.share())
	}
	rule.Match = faults.Match{Model: d.text("model"), Stream: new(d.number(0, 1) == 1), Header: map[string]string{"x-a": d.text("match")}}
	switch d.number(0, 5) {
	case 0:
		return rule.Share(d.share())
	case 1:
		return rule.First(d.number(1, 9))
	case 2:
		return rule.Calls(d.number(1, 9), d.number(1, 9))
	case 3:
		return rule.Every(d.number(1, 9))
	case 4:
		return rule.Attempts(d.number(1, 9))
	default:
		return rule.Between(time.Duration(d.number(0, 19))*time.Second, d.time())
	}
}

func (d draws) claims() []hypotheses.Hypothesis {
	factor := rapid.Float64Range(0.01, 99).Draw(d.T, "factor")
	n, share, length := d.number(1, 1e6), d.share(), d.seconds()
	return []hypotheses.Hypothesis{
		hypotheses.Latency("ask").Quantile(share).Below(length).In("fault").After(d.time()).Outcome("ok").Confidence(0.5 + share/2.1).MinSamples(n),
		hypotheses.FirstToken("chat").Quantile(1).AtMost(length), hypotheses.ChunkGap("chat").BelowBaseline(factor),
		hypotheses.Errors("bystanders").AtMost(share), hypotheses.Fallbacks("").Below(0.9999).AboveBaseline(factor).In("recovery"),
		hypotheses.Goodput("ask").AtLeast(share).Within(length), hypotheses.Share("ask").Where("status == 429").Below(share),
		hypotheses.Calls("ask").Where("call.status == 503").Per(d.time()).AtMost(n), hypotheses.Attempts("").AtMost(n),
		hypotheses.LeafCalls("ask").To("primary").API(d.text("api")).AtMostBaseline(factor),
		hypotheses.Amplification("ask").AtMost(factor), hypotheses.Recovery("ask").Within(length),
		hypotheses.InFlight("ask").To("fallback").AtMost(n), hypotheses.Status("ask").Only(200, 429, 0).AtLeast(share),
	}
}
