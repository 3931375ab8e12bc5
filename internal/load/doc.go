// Package load drives a service like its users would, and records what each
// of them saw.
//
// The schedule is absolute: it is drawn from the seed before the run, every
// request starts at its planned time whether or not earlier ones were
// answered, and latency counts from the planned time. A request that would
// pass the cap on open requests is recorded as not sent; nothing queues, and
// nothing is sent twice.
package load
