package toxi

import (
	"fmt"
	"slices"

	"github.com/brownout-chaos/brownout/faults"
)

// An Active is a toxic that is on.
type Active struct {
	Name  string       // of the fault it plays; counts are kept under it
	Toxic faults.Toxic // one of [faults.Toxics]
	Share float64      // of the connections, drawn from seed, name and connection number; 0: all
}

// A Count is what happened under one name since the edge was opened. A
// connection is counted once each time the toxic goes on.
type Count struct {
	Matched int   // connections that were open while the toxic was on
	Fired   int   // those that it touched: held back, starved, closed or reset
	Chunks  int   // pieces of answers it touched, at least one per answer
	Bytes   int64 // bytes it touched
}

// check refuses what an edge cannot play.
func check(active []Active) error {
	names := []string{}
	for _, a := range active {
		if slices.Contains(names, a.Name) {
			return fmt.Errorf("two active toxics are named %q: want one name each", a.Name)
		}
		names = append(names, a.Name)
		if err := a.check(); err != nil {
			return fmt.Errorf("toxic %q: %w", a.Name, err)
		}
	}
	return nil
}

func (a Active) check() error {
	switch a.Toxic.(type) {
	case faults.Latency, faults.Bandwidth, faults.Timeout, faults.ResetPeer:
	case faults.Down:
		if a.all() {
			break
		}
		return fmt.Errorf("share is %g: down takes the whole edge, want no share", a.Share)
	default:
		return fmt.Errorf("%T is none that an edge plays: want one of faults.Toxics", a.Toxic)
	}
	if a.Share < 0 || a.Share > 1 {
		return fmt.Errorf("share is %g: want a number from 0 (all) to 1", a.Share)
	}
	return a.Toxic.Check()
}

func (a Active) all() bool { return a.Share == 0 || a.Share == 1 }

// A mode is how the port of an edge behaves.
type mode int

const (
	modePlain mode = iota // a proxy
	modeReset             // a proxy that closes connections with RST
	modeDown              // no proxy: connecting is refused
)

// modeOf is the mode that the toxics need; the most radical one wins.
func modeOf(active []Active) mode {
	m := modePlain
	for _, a := range active {
		switch a.Toxic.(type) {
		case faults.ResetPeer:
			m = max(m, modeReset)
		case faults.Down:
			m = modeDown
		}
	}
	return m
}
