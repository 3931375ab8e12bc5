package load_test

import (
	"context"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/load"
)

// BenchmarkGenerator sends 8,000 requests per second for two seconds to a
// trivial service in another process. p99-lag-ms is dispatch behind plan;
// control-ms is the same of a goroutine that only sleeps.
func BenchmarkGenerator(b *testing.B) {
	base := trivialService(b)
	for b.Loop() {
		health, err := load.Drive(context.Background(), load.Config{
			Base:    base,
			Service: hypotheses.Service{Endpoints: map[string]hypotheses.Endpoint{"ask": {Request: "GET /ask"}}},
			Load: hypotheses.Load{
				Shape:       hypotheses.Shape{Rate: 8000},
				Phases:      []hypotheses.Phase{{Name: "fault", For: 2 * time.Second}},
				Connections: 256,
			},
			Started: time.Now(),
			Record:  func(hypotheses.Request) {},
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(health.LoadLateness.Float()*1000, "p99-lag-ms")
		b.ReportMetric(health.ControlLateness.Float()*1000, "control-ms")
		b.ReportMetric(float64(health.NotSent), "not-sent")
	}
}
