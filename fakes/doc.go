// Package fakes is the LLM provider that misbehaves: a real HTTP server that
// answers like a provider, plays faults, and keeps a ledger of the calls that
// reached it. It is used like net/http/httptest:
//
//	p := fakes.NewProvider()
//	defer p.Close()
//	p.Inject(faults.On(faults.RateLimit{RetryAfter: faults.After(2 * time.Second)}).First(2))
//	... point any SDK at p.OpenAI() ...
//	p.Calls()
//
// # Calls and faults
//
// Every call is read to its end before anything else happens. Then the rules
// of [Provider.Inject] are asked in the order of their injection; the first
// that matches and triggers decides what happens to the call, and no other is
// asked. Without one the answer is healthy: the numbered words of the
// provider, at the pace of [Pace]. A fault that needs more of the answer than
// there is happens at the end of its content, before the end mark.
//
// HTTP/1.1 and HTTP/2 without TLS (prior knowledge) share the port. Over
// HTTP/2 a fault that ends in fin or rst is one RST_STREAM, and the ledger
// says so.
//
// # The ledger
//
// [Provider.Calls] tells for each call what was planned and what was achieved,
// how late the provider was, and whether the caller left first. The record of
// a call is there before the caller can see the end of its answer. The ledger
// is bounded ([LedgerSize]); [Provider.Counters] are exact. It holds no body
// and no credential.
//
// All methods of [Provider] and [Injection] may be called concurrently.
package fakes
