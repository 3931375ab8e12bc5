package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

type providerCmd struct {
	Listen     string        `default:"127.0.0.1:9901" placeholder:"HOST:PORT" help:"Where to listen (default: 127.0.0.1:9901)."`
	Name       string        `default:"primary" help:"Name of the provider, shown in its answers (default: primary)."`
	Faults     string        `placeholder:"FILE" help:"A YAML list of faults, each as in an experiment."`
	Seed       uint64        `help:"Seed of shares and quantiles."`
	FirstToken time.Duration `help:"Healthy wait before the first token."`
	Gap        time.Duration `help:"Healthy wait between tokens."`
	Quiet      bool          `help:"No line per call on stderr."`
}

// Run serves until a signal comes, then prints the counters.
func (c *providerCmd) Run(a *app) error {
	rules, err := c.rules()
	if err != nil {
		return err
	}
	options := []fakes.Option{
		fakes.Listen(c.Listen), fakes.Name(c.Name), fakes.Seed(c.Seed), fakes.Pace(c.FirstToken, c.Gap),
	}
	if !c.Quiet {
		options = append(options, fakes.Observe(func(call fakes.Call) { c.line(a, call) }))
	}
	p, err := fakes.Start(options...)
	if err != nil {
		return err
	}
	defer p.Close()
	p.Inject(rules...)
	fmt.Fprintf(a.stdout, "OPENAI_BASE_URL=%s\n", p.OpenAI())
	<-a.ctx.Done()
	p.Close()
	return json.NewEncoder(a.stdout).Encode(p.Counters())
}

func (c *providerCmd) rules() ([]faults.Rule, error) {
	if c.Faults == "" {
		return nil, nil
	}
	data, err := os.ReadFile(c.Faults)
	if err != nil {
		return nil, err
	}
	return fakes.ParseRules(c.Faults, data)
}

func (c *providerCmd) line(a *app, call fakes.Call) {
	fault := call.Fault
	if fault == "" {
		fault = "healthy"
	}
	fmt.Fprintf(a.stderr, "%s call %d %s %q status %d %s ended %s after %v\n",
		call.Arrived.Format("15:04:05.000"), call.ID, call.API, call.Model, call.Status, fault,
		call.Achieved.End, call.EndedAt.Sub(call.Arrived).Round(time.Millisecond))
}
