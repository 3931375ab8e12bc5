// Package run turns an experiment into a journal. It is the one place that
// knows the order of the steps:
//
//	start providers and edges -> start the service -> drive the phases,
//	switching the faults on and off -> drain -> lift, stop, close -> journal
//
// Whatever happens on the way (a guard, a limit, a signal, a service that
// dies), the faults are lifted first and everything that was started is
// stopped before [Run] returns. The faults live in this process: they end with
// it, whatever ends it.
package run
