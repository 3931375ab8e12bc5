// Package expression compiles and evaluates the expressions of service and
// experiment files: failed_when, degraded_when, where, match.body and those of
// streams. The language is that of github.com/expr-lang/expr, with one
// difference: reading a member of what has none (nil, a number, an array read
// by name) gives nil instead of an error, so an HTML page or an array where an
// object was expected does not break an expression.
//
// Comparing with a missing value by <, adding to it, taking its length or
// negating it is still an error: write (body.count ?? 0) > 1.
//
// A [Program] is safe for concurrent use.
package expression
