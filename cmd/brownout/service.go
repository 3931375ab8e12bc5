package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/brownout-chaos/brownout/internal/refservice"
)

type serviceCmd struct {
	Policy        string        `required:"" help:"naive, resilient or three-layers (brownout list policies)."`
	Listen        string        `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where to listen (default: 127.0.0.1:8080)."`
	Attempts      int           `help:"Attempts per layer (default: the policy's)."`
	SDKRetries    *int          `name:"sdk-retries" help:"Retries of the OpenAI SDK itself (default: the policy's)."`
	SDKRetryDelay time.Duration `name:"sdk-retry-delay" help:"Longest wait between retries of the SDK (default: the policy's)."`
}

// Run serves until a signal comes. The providers are taken from
// OPENAI_BASE_URL and, for policies with a fallback, FALLBACK_BASE_URL.
func (c *serviceCmd) Run(a *app) error {
	primary := os.Getenv("OPENAI_BASE_URL")
	if primary == "" {
		return fmt.Errorf("OPENAI_BASE_URL is not set\nhint: brownout provider prints the line to set; in a service file: env: {OPENAI_BASE_URL: \"${providers.primary.openai}\"}")
	}
	server, err := refservice.Start(refservice.Config{
		Policy: c.Policy, Listen: c.Listen,
		Primary: primary, Fallback: os.Getenv("FALLBACK_BASE_URL"), APIKey: os.Getenv("OPENAI_API_KEY"),
		Attempts: c.Attempts, SDKRetries: c.SDKRetries, SDKMaxRetryDelay: c.SDKRetryDelay,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s service on %s\n", strings.TrimSpace(c.Policy), server.URL())
	<-a.ctx.Done()
	return server.Close()
}
