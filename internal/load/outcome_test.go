package load_test

import (
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// answers gives the handler of a fixed answer.
func answers(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func hangs(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// No outage hides behind an endpoint's expressions, whatever the body is.
func TestOutcomes(t *testing.T) {
	const json, html = "application/json", "text/html"
	page := answers(502, html, "<html><h1>502 Bad Gateway</h1></html>")
	for _, c := range []struct {
		name     string
		service  http.HandlerFunc
		failed   string
		degraded string
		want     hypotheses.Outcome
		why      hypotheses.RequestError
		exprErr  bool
	}{
		{name: "ok", service: answers(200, json, `{}`), want: hypotheses.OK},
		{name: "redirects are answers", service: answers(302, html, ""), want: hypotheses.OK},
		{name: "status 400", service: answers(400, json, `{}`), want: hypotheses.Failed, why: hypotheses.ErrStatus},
		{name: "status 503", service: answers(503, json, `{}`), want: hypotheses.Failed, why: hypotheses.ErrStatus},

		{name: "failed_when about status replaces the default", service: answers(404, json, `{}`), failed: "status >= 500", want: hypotheses.OK},
		{name: "failed_when about status holds", service: answers(503, json, `{}`), failed: "status >= 500", want: hypotheses.Failed, why: hypotheses.ErrFailedWhen},
		{name: "failed_when about the body adds to the default", service: answers(404, json, `{}`), failed: "body.error != nil", want: hypotheses.Failed, why: hypotheses.ErrStatus},
		{name: "failed_when about the body holds", service: answers(200, json, `{"error": "x"}`), failed: "body.error != nil", want: hypotheses.Failed, why: hypotheses.ErrFailedWhen},
		{name: "failed_when about the body does not hold", service: answers(200, json, `{}`), failed: "body.error != nil", want: hypotheses.OK},
		{name: "failed_when about a header", service: answers(200, json, `{}`), failed: `header["Content-Type"] == "application/json"`, want: hypotheses.Failed, why: hypotheses.ErrFailedWhen},
		{name: "failed_when about the text", service: answers(200, "text/plain", "sorry, no"), failed: `text contains "sorry"`, want: hypotheses.Failed, why: hypotheses.ErrFailedWhen},
		{name: "failed_when about the latency", service: answers(200, json, `{}`), failed: `latency > duration("1h")`, want: hypotheses.OK},

		{name: "degraded", service: answers(200, json, `{"degraded": true}`), degraded: "body.degraded == true", want: hypotheses.Degraded},
		{name: "not degraded", service: answers(200, json, `{"degraded": false}`), degraded: "body.degraded == true", want: hypotheses.OK},
		{name: "a failure is never degraded", service: answers(500, json, `{"degraded": true}`), degraded: "body.degraded == true", want: hypotheses.Failed, why: hypotheses.ErrStatus},
		{name: "degraded below a replaced default", service: answers(404, json, `{"degraded": true}`), failed: "status >= 500", degraded: "body.degraded == true", want: hypotheses.Degraded},

		{name: "timeout", service: hangs, failed: "status >= 500", degraded: "body.degraded == true", want: hypotheses.Failed, why: hypotheses.ErrTimeout},
		{name: "timeout, always-false expression", service: hangs, failed: "status == 1", want: hypotheses.Failed, why: hypotheses.ErrTimeout},
		{name: "html page", service: page, degraded: "body.degraded == true", want: hypotheses.Failed, why: hypotheses.ErrStatus},
		{name: "html page, failed_when about the body", service: page, failed: "body.error != nil", want: hypotheses.Failed, why: hypotheses.ErrStatus},
		{name: "html page, failed_when about both", service: page, failed: "status >= 500 or body.error != nil", want: hypotheses.Failed, why: hypotheses.ErrFailedWhen},
		{name: "html page, failed_when that errors", service: page, failed: "body.code > 1 and status >= 500", want: hypotheses.Failed, why: hypotheses.ErrStatus, exprErr: true},
		{name: "html page with status 200", service: answers(200, html, "<html></html>"), degraded: "body.degraded == true", want: hypotheses.OK},
		{name: "array body", service: answers(200, json, `[1, 2]`), failed: "body.error != nil", degraded: "body.degraded == true", want: hypotheses.OK},
		{name: "array body of an outage", service: answers(500, json, `[1, 2]`), failed: "body.error != nil", want: hypotheses.Failed, why: hypotheses.ErrStatus},
		{name: "expression that errors keeps a good answer", service: answers(200, json, `{}`), failed: "body.n > 1", want: hypotheses.OK, exprErr: true},
		{name: "degraded_when that errors", service: answers(200, json, `{}`), degraded: "body.n > 1", want: hypotheses.OK, exprErr: true},
		{name: "body over the cap", service: answers(200, json, `{"degraded": true, "x": "`+strings.Repeat("x", 1<<20)+`"}`), degraded: "body.degraded == true", want: hypotheses.OK, exprErr: true},
		{name: "body over the cap that nobody looks at", service: answers(200, json, strings.Repeat("x", 2<<20)), want: hypotheses.OK},
	} {
		t.Run(c.name, func(t *testing.T) {
			patience := 5 * time.Second
			if strings.HasPrefix(c.name, "timeout") {
				patience = 40 * ms
			}
			r := one(t, c.service, hypotheses.Endpoint{FailedWhen: c.failed, DegradedWhen: c.degraded, Timeout: &patience})
			if r.Outcome != c.want || r.Error != c.why || (r.ExprError != "") != c.exprErr {
				t.Errorf("got %q %q (%s), expression error %q; want %q %q", r.Outcome, r.Error, r.Detail, r.ExprError, c.want, c.why)
			}
			if r.End < r.Sent || r.End == 0 {
				t.Errorf("sent at %v, ended at %v", r.Sent.Duration(), r.End.Duration())
			}
			if r.Error == hypotheses.ErrTimeout && (r.Status != 0 || r.End-r.Planned < hypotheses.Seconds(patience)) {
				t.Errorf("the user gave up at %v: %+v", (r.End - r.Planned).Duration(), r)
			}
		})
	}
}

func TestSeenKeepsWhatHypothesesLookAt(t *testing.T) {
	service := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Cache", "hit")
		answers(200, "application/json", `{"degraded": true, "list": [{"a": 1}], "null": null}`)(w, r)
	}
	paths := []string{"body.degraded", "body.list.0.a", "body.missing.x", "body.null", "header.x-cache", "header.x-none", "text"}
	want := map[string]any{
		"body.degraded": true, "body.list.0.a": 1.0, "body.missing.x": nil, "body.null": nil, "header.x-cache": "hit", "header.x-none": nil,
		"text": `{"degraded": true, "list": [{"a": 1}], "null": null}`,
	}
	if got := one(t, service, hypotheses.Endpoint{}, paths...).Seen; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := one(t, service, hypotheses.Endpoint{}).Seen; got != nil {
		t.Errorf("nobody asked, got %v", got)
	}
	stream := answers(200, "text/event-stream", "data: a\n\ndata: b\n\n")
	if got := one(t, stream, hypotheses.Endpoint{Stream: hypotheses.Stream{Preset: "sse"}}, "text", "body.x").Seen; got["text"] != "ab" || got["body.x"] != nil {
		t.Errorf("of a stream: got %v", got)
	}
	short := 30 * ms
	if got := one(t, hangs, hypotheses.Endpoint{Timeout: &short}, "body.x", "header.x").Seen; len(got) != 2 || got["body.x"] != nil {
		t.Errorf("of a timeout: got %v", got)
	}
}
