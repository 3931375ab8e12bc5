// Package toxi plays network faults on one edge: the address through which the
// service reaches a provider or a dependency. It is the only package that
// knows Toxiproxy.
//
//	edge, err := toxi.Open(toxi.Config{Name: "primary", Upstream: fake.Addr()})
//	err = edge.Apply([]toxi.Active{{Name: "slow", Toxic: faults.Latency{Latency: 300 * time.Millisecond}}})
//	err = edge.Apply(nil) // heals
//
// Toxiproxy's control calls hang while a client behind a toxic times out or
// does not read, so none is made on a proxy that has connections:
//
//   - Shaping toxics (latency, bandwidth, timeout) run inside one toxic of our
//     own, brownout_switch, which is in the chain before the proxy starts. It
//     changes what it does on open connections at once and drops none of them.
//   - Cutting toxics (reset_peer, down) are a fresh proxy on the same port, or
//     none. Going on and going off, they close the connections that are open.
//
// All toxics act on the way from the provider to the service, as Toxiproxy's
// do by default: a call that meets one has reached the provider. Their
// attributes mean what they mean in Toxiproxy, but bandwidth counts single
// bytes per second, and the share of connections is drawn from the seed.
package toxi
