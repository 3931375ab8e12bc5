package refservice_test

import (
	"testing"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/refservice"
)

func TestLayersMultiply(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg  refservice.Config
		want int
	}{
		"3 x 3 x 3":           {refservice.Config{}, 27},
		"3 x 3 x 3 x 3":       {refservice.Config{SDKRetries: new(2)}, 81},
		"2 x 2 x 2":           {refservice.Config{Attempts: 2}, 8},
		"one attempt a layer": {refservice.Config{Attempts: 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := provider(t, faults.On(faults.Unavailable{}))
			c.cfg.Policy, c.cfg.Primary = "three-layers", p.OpenAI()
			got := send(t, service(t, c.cfg), "/ask", marked, "X-Request-ID", "r-000007")
			if got.status != 502 {
				t.Errorf("got %+v, want 502", got)
			}
			made := calls(t, p)
			if len(made) != c.want {
				t.Errorf("got %d leaf calls, want %d", len(made), c.want)
			}
			for _, call := range made {
				if call.Header != "r-000007" || call.BodyHash != made[0].BodyHash {
					t.Errorf("call %d has request id %q and body %s, not those of the first", call.ID, call.Header, call.BodyHash)
				}
			}
		})
	}
}

// TestLayersRecover lets the outage end inside a request: 13 failures are
// absorbed without the user seeing any.
func TestLayersRecover(t *testing.T) {
	t.Parallel()
	p := provider(t, faults.On(faults.Unavailable{}).First(13))
	s := service(t, refservice.Config{Policy: "three-layers", Primary: p.OpenAI()})
	if got := ask(t, s); got.status != 200 || got.Answer == "" {
		t.Errorf("got %+v, want an answer", got)
	}
	if n := len(calls(t, p)); n != 14 {
		t.Errorf("got %d calls, want 14", n)
	}
}
