// Package suites has the ready-made experiments that every service behind an
// LLM provider should survive, and the verbs to run and judge experiments from
// Go.
//
// [Families] lists the experiments, one file each: rate limits with and
// without Retry-After, stalled streams, malformed JSON, slow first tokens, 503
// bursts, network latency, network resets. A [Family] builds its experiment
// for any service. [Run] runs an experiment, and [Hold] is a Gomega matcher
// for its journal:
//
//	journal, err := suites.Run(ctx, experiment)
//	Expect(err).NotTo(HaveOccurred())
//	Expect(journal).To(suites.Hold(
//		hypotheses.Latency("ask").Quantile(0.99).Below(3*time.Second),
//		hypotheses.Errors("bystanders").AtMost(0),
//	))
//
// The package imports neither Ginkgo nor Gomega; package suites/specs makes
// Ginkgo specs of the families, and the tests of this folder are a real suite:
//
//	go test ./suites -count=1 -args --service my-service.yaml
package suites
