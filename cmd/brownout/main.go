// Command brownout proves how a service behaves when its LLM provider is slow,
// wrong or gone: it fakes the provider, breaks it on purpose, drives the
// service like its users would, counts the leaf calls, and says whether the
// stated hypotheses held.
//
//	brownout demo                   naive service refuted, resilient service held
//	brownout run EXPERIMENT...      run experiment files and judge them
//	brownout check FILE...          parse and resolve only; touches nothing
//	brownout judge DIR              judge a recorded journal again
//	brownout report DIR             render a recorded journal again
//	brownout provider               the fake provider alone
//	brownout service                a sample service
//	brownout list | explain NAME    faults, hypotheses, dialects, policies
//	brownout version
//
// # Exit codes
//
//	0  every hypothesis held
//	1  a hypothesis was refuted
//	2  could not run: usage, file, a service that never got ready, brownout itself
//	3  inconclusive: too little was seen to say
//	4  aborted by a guard, a limit or a signal, with nothing refuted
//
// With several experiments 2 wins over 1 over 4 over 3. Progress goes to
// stderr, results to stdout. Without a terminal nothing ever asks.
//
// # Limitations
//
// One machine drives the load; a service that is not on it needs --yes. The
// fake provider speaks OpenAI chat completions and models.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // a reader of the progress that leaves does not end the run
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, func() {
		stop() // the next signal finds no handler and ends the process at once
		fmt.Fprintln(os.Stderr, "brownout: stopping: faults are lifted, what was started is stopped; a second signal ends it at once")
	})
	os.Exit(Main(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
