package run

import (
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// guardRemote refuses a service that is not on this machine unless that was
// allowed, and gives it a guard on its bystanders where it has none of its own:
// others may be using it.
func guardRemote(e hypotheses.Experiment, allowed bool) (hypotheses.Experiment, error) {
	address := e.Service.Subject.URL
	if address == "" || loopback(address) {
		return e, nil
	}
	if !allowed {
		return e, fmt.Errorf("the service at %s is not on this machine: faults may reach others who use it; allow it with --yes", address)
	}
	if len(e.AbortIf) == 0 && len(e.Service.EndpointNames(true)) > 0 {
		share := 0.2
		guard := hypotheses.GuardSpec{Of: hypotheses.Bystanders, Above: &share, For: 5 * time.Second}
		e.AbortIf = []hypotheses.Guard{{Errors: &guard}}
	}
	return e, nil
}

func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
