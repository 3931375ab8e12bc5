// Package specs makes Ginkgo specs of the families of package suites: one
// Ordered container per experiment, one spec per hypothesis.
//
//	func TestSuites(t *testing.T) {
//		RegisterFailHandler(Fail)
//		new(specs.Suite).Describe("answers", service)
//		RunSpecs(t, "answers")
//	}
//
// The experiment runs once, when its first spec runs; each spec then looks at
// the verdict of its own hypothesis. A failed spec prints the verdict line,
// never the journal. The label of a container is the name of its family, so
// --label-filter picks some. Under ginkgo -p each process runs its own
// experiments.
package specs
