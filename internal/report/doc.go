// Package report writes verdicts for people and machines.
//
// [Write] renders a [hypotheses.Verdict] in one of the [Formats]; each format
// is one file of this package. [WriteAll] puts result.json, junit.xml,
// report.md and experiment.yaml into a result directory. [Line] and [Lines]
// are the lines of the text format alone, for the messages of failed tests.
//
//	held          p99 latency of ask below 3s during fault  1.24s [1.11s, 1.38s]  540 requests, 0 over
//	refuted       attempts of ask at most 3                 9                     r-000123: 3 outer x 3 SDK attempts
//
// # Values
//
// Times are 1.24s or 12ms, shares 33.3%, counts whole numbers, everything to
// three digits, or to as many more as tell a value from its bound. A time that
// is infinite because the answers failed is "never". What is not known is "-".
//
// Texts that come from the service under test are shown on one line, without
// control characters. Nothing here reads the clock: the same verdict gives the
// same bytes.
package report
