package refservice

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A Config says which sample service to start. Policy and Primary are needed.
type Config struct {
	Policy   string // a name of [Policies]
	Listen   string // host:port of the service; "": a free port of 127.0.0.1
	Primary  string // base URL of the provider, /v1 included
	Fallback string // base URL of the second provider; "": none. Only resilient asks it
	APIKey   string // for both providers; "": no Authorization header

	// Attempts at the provider, or of each layer at the next, first try
	// included; 0: 3, and 2 for resilient.
	Attempts int
	// SDKRetries is how often the SDK retries by itself inside one attempt; nil:
	// 2 for naive (the SDK's own default), 0 for the others.
	SDKRetries *int
	// SDKMaxRetryDelay bounds the SDK's waits; 0: the SDK's own bounds, and 5ms
	// for three-layers. The SDK does not retry at all when a provider asks for a
	// longer wait.
	SDKMaxRetryDelay time.Duration

	// The rest is for resilient.

	Deadline   time.Duration // of a whole answer, also of a streamed one; 0: 2.5s
	FirstToken time.Duration // of one attempt until its first token; 0: 500ms
	Idle       time.Duration // between two chunks of a stream; 0: 300ms
}

func (c Config) check() error {
	if err := checkBaseURL("primary", c.Primary); err != nil {
		return err
	}
	if c.Fallback != "" {
		if err := checkBaseURL("fallback", c.Fallback); err != nil {
			return err
		}
	}
	if c.Attempts < 0 || c.SDKRetries != nil && *c.SDKRetries < 0 {
		return fmt.Errorf("attempts and SDK retries are 0 or more")
	}
	if min(c.SDKMaxRetryDelay, c.Deadline, c.FirstToken, c.Idle) < 0 {
		return fmt.Errorf("SDK retry delay, deadline, first token and idle time are 0s or more")
	}
	return nil
}

func checkBaseURL(name, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "http") {
		return fmt.Errorf("base URL of the %s provider is %q: want one such as http://127.0.0.1:9101/v1", name, text)
	}
	return nil
}
