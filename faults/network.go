package faults

import (
	"fmt"
	"time"
)

// Network is a fault of the bytes between the service and a provider or
// dependency, played by Toxiproxy. YAML: network: {latency: {latency: 800ms}}.
type Network struct {
	Toxic Toxic `json:"-" oneof:"toxic"`
}

// Kind is "network".
func (Network) Kind() string { return "network" }

// Check reports a missing toxic or an impossible attribute of it. The zero
// Network passes as every zero fault does; a file always names a toxic.
func (f Network) Check() error {
	if f.Toxic == nil {
		return nil
	}
	return f.Toxic.Check()
}

// A Toxic is a network fault as Toxiproxy names it, with units where Toxiproxy
// has bare integers. The types of [Toxics] are the only implementations.
type Toxic interface {
	Kind() string
	Check() error
	// Cuts reports whether the toxic breaks connections, the open ones
	// included, rather than shaping the bytes on them.
	Cuts() bool
}

// Toxics lists every toxic as a zero value.
func Toxics() []Toxic {
	return []Toxic{Latency{}, Bandwidth{}, Timeout{}, ResetPeer{}, Down{}}
}

// Latency delays the bytes of each chunk by latency, plus or minus jitter. It
// shifts the first token and keeps the gaps. Connecting is not delayed.
type Latency struct {
	Latency time.Duration `json:"latency,omitempty"`
	Jitter  time.Duration `json:"jitter,omitempty"`
}

// Kind is "latency".
func (Latency) Kind() string { return "latency" }

// Cuts is false.
func (Latency) Cuts() bool { return false }

// Check reports negative times.
func (t Latency) Check() error {
	if t.Latency < 0 || t.Jitter < 0 {
		return fmt.Errorf("latency and jitter are times of 0s or more, got %v and %v", t.Latency, t.Jitter)
	}
	return nil
}

// Bandwidth limits the bytes per second on each connection.
type Bandwidth struct {
	Rate ByteRate `json:"rate,omitempty"` // 0: nothing passes
}

// Kind is "bandwidth".
func (Bandwidth) Kind() string { return "bandwidth" }

// Cuts is false.
func (Bandwidth) Cuts() bool { return false }

// Check reports a negative rate.
func (t Bandwidth) Check() error {
	if t.Rate < 0 {
		return fmt.Errorf("rate is negative: a rate such as 4KiB/s is expected")
	}
	return nil
}

// Timeout drops all bytes and closes the connection after timeout without
// one; 0 never closes. Lifting it closes the connections it has touched, since
// bytes are missing on them.
type Timeout struct {
	Timeout time.Duration `json:"timeout,omitempty"`
}

// Kind is "timeout".
func (Timeout) Kind() string { return "timeout" }

// Cuts is false: open connections stay until the timeout.
func (Timeout) Cuts() bool { return false }

// Check reports a negative time.
func (t Timeout) Check() error {
	if t.Timeout < 0 {
		return fmt.Errorf("timeout is %v: a time of 0s (never close) or more is expected", t.Timeout)
	}
	return nil
}

// ResetPeer resets each connection (RST) when the first bytes of an answer
// pass, or timeout later. The call has reached the provider by then.
type ResetPeer struct {
	Timeout time.Duration `json:"timeout,omitempty"`
}

// Kind is "reset_peer".
func (ResetPeer) Kind() string { return "reset_peer" }

// Cuts is true.
func (ResetPeer) Cuts() bool { return true }

// Check reports a negative time.
func (t ResetPeer) Check() error {
	if t.Timeout < 0 {
		return fmt.Errorf("timeout is %v: a time of 0s or more is expected", t.Timeout)
	}
	return nil
}

// Down refuses connections and cuts the open ones.
type Down struct{}

// Kind is "down".
func (Down) Kind() string { return "down" }

// Cuts is true.
func (Down) Cuts() bool { return true }

// Check passes always.
func (Down) Check() error { return nil }
