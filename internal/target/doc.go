// Package target starts and stops the service under test.
//
//	service, err := target.Start(ctx, experiment.Service, target.Options{Lookup: providers.lookup})
//	defer service.Stop()
//	... drive load to service.URL(), watch service.Died() ...
//
// A service with a url runs already: it is only waited for. A service with a
// command is a process of its own group that [Start] starts on a free loopback
// port, waits for and [Running.Stop] ends, with all that it has started. On
// Linux the process also ends when brownout is killed (kill -9).
package target
