// Package stats answers statistical questions about counts and quantiles with
// the uncertainty that a small sample has. Everything is exact
// (Clopper-Pearson, order statistics) or seeded, so the same numbers give the
// same answer.
//
// A confidence is one-sided: each end of an interval is wrong with a
// probability of at most 1 - confidence. The two ends together are therefore an
// interval of 2*confidence - 1, and comparing one end with a limit is a test at
// the confidence given.
package stats
