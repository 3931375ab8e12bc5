// Package hypotheses says what is claimed about a service and whether the
// record of a run bears it out.
//
// An [Experiment] names a [Service], the [Load] that drives it, the faults
// that break its providers, and the hypotheses: [Latency], [Errors],
// [Attempts] and their siblings, one file each. [ParseExperiment] and
// [ParseService] read them from files. A run (package suites) turns an
// experiment into a [Journal]: what users saw ([Request]), what reached the
// providers ([LeafCall]), when the faults were on. [Judge] turns a journal
// into a [Verdict].
//
//	verdict := hypotheses.Judge(journal,
//		hypotheses.Latency("ask").Quantile(0.99).Below(3*time.Second),
//		hypotheses.Errors("bystanders").AtMost(0),
//	)
//
// There are four answers: held, refuted, inconclusive and aborted. No data is
// never a pass: too few samples, a fault that did not fire or a harness that
// was late make a hypothesis inconclusive, with a [Reason]. A refuted
// hypothesis is not an error.
//
// The package opens no connection and starts no goroutine. Values are plain
// data; sharing them between goroutines is safe as long as nobody writes.
package hypotheses
