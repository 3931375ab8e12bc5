// Package faults says what can go wrong with a provider or with the network
// between a service and its provider.
//
// A fault is a plain value: [RateLimit], [Stall], [Truncate] and their
// siblings, one file each. It does nothing by itself. A [Rule] says where,
// when and how often the fault fires; a fake provider (package fakes) plays
// the [Script] of a provider fault, and a network fault ([Network]) is played
// by Toxiproxy on the edge between the service and the provider.
//
//	rule := faults.On(faults.RateLimit{RetryAfter: faults.After(2 * time.Second)}).First(2)
//
// The names of the types are the keys of experiment files in CamelCase:
// rate_limit is [RateLimit]. [Catalogue] and [Toxics] list them all.
//
// The package imports only the standard library, does no I/O and keeps no
// state; all its values may be shared between goroutines.
package faults
