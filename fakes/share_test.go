package fakes_test

import (
	"fmt"
	"maps"
	"math"
	"sync"
	"testing"

	"github.com/openai/openai-go/v3/option"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

// decisions drives requests with ids through real clients, so many at a time,
// and gives the fault of each attempt.
func decisions(t *testing.T, seed uint64, users int) map[string]string {
	const requests = 150
	got := map[string]string{}
	tries := map[string]int{}
	var mu sync.Mutex
	p := fakes.NewProvider(fakes.Seed(seed), fakes.Tokens(2), fakes.Observe(func(c fakes.Call) {
		mu.Lock()
		defer mu.Unlock()
		tries[c.Header]++
		got[fmt.Sprintf("%s/%d", c.Header, tries[c.Header])] = c.Fault
	}))
	defer p.Close()
	p.Inject(faults.On(faults.RateLimit{}).Share(0.3), faults.On(faults.Unavailable{}).Share(0.3))

	client := sdk(t, p)
	ids := make(chan string)
	var group sync.WaitGroup
	for range users {
		group.Go(func() {
			for id := range ids {
				complete(t.Context(), client, ask("hi"), option.WithHeader("X-Request-ID", id))
			}
		})
	}
	for i := range requests {
		ids <- fmt.Sprintf("r-%06d", i+1)
	}
	close(ids)
	group.Wait()
	return got
}

// TestSameSeedSameFaults: the same requests meet the same faults, whatever
// the interleaving of 1 or 50 users; another seed gives others.
func TestSameSeedSameFaults(t *testing.T) {
	alone, crowd, other := decisions(t, 42, 1), decisions(t, 42, 50), decisions(t, 43, 50)
	if !maps.Equal(alone, crowd) {
		t.Error("1 and 50 users met different faults under the same seed")
	}
	if maps.Equal(alone, other) {
		t.Error("another seed gave the same faults")
	}
	fired := map[string]float64{}
	for _, fault := range alone {
		fired[fault]++
	}
	total := float64(len(alone))
	for fault, want := range map[string]float64{"rate_limit": 0.3, "unavailable": 0.7 * 0.3} {
		if share := fired[fault] / total; math.Abs(share-want) > 0.1 {
			t.Errorf("share of %s: got %.2f of %.0f, want about %.2f", fault, share, total, want)
		}
	}
}
