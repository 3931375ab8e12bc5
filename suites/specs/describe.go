package specs

import (
	"fmt"
	"sync"

	"github.com/onsi/ginkgo/v2"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/report"
	"github.com/brownout-chaos/brownout/suites"
)

// A Suite is how experiments run. The zero value runs the families of package
// suites one after the other.
type Suite struct {
	Families   []suites.Family // nil: all
	Runner     suites.Runner   // Dir is the parent folder, one folder per family below it
	SideBySide int             // experiments at once over the whole suite, for services that brownout starts; 0: one

	once  sync.Once
	slots chan struct{}
}

// Describe generates one container per family that claims that the service
// holds every hypothesis. Call it before RunSpecs.
func (s *Suite) Describe(text string, service hypotheses.Service) {
	pool := s.pool(text, service)
	for _, t := range pool.trials {
		ginkgo.Describe(text+": "+t.title, t.decorators(pool), func() {
			t.runOnce(pool)
			ginkgo.It("breaks the provider as planned", func() { t.fired() })
			for i, claim := range t.experiment.Hypotheses {
				ginkgo.It(claim.Hypothesis.Says(), func() { t.holds(i) })
			}
			ginkgo.It("stays alive and ends by itself", func() { t.ended() })
		})
	}
}

// DescribeRefuted generates one container per family that claims that the
// service is refuted by the hypothesis that fits the family's fault. It keeps
// suites honest: a suite that cannot fail proves nothing.
func (s *Suite) DescribeRefuted(text string, service hypotheses.Service) {
	pool := s.pool(text, service)
	for _, t := range pool.trials {
		ginkgo.Describe(text+": not "+t.title, t.decorators(pool), func() {
			t.runOnce(pool)
			ginkgo.It("breaks the provider as planned", func() { t.fired() })
			ginkgo.It("is refuted by "+t.fits, func() { t.refuted() })
		})
	}
}

// decorators keep the specs of one experiment together and in order, and let
// the others go on when one of them fails.
func (t *trial) decorators(p *pool) []any {
	list := []any{ginkgo.Ordered, ginkgo.ContinueOnFailure, ginkgo.Label(t.name)}
	if p.service.Subject.URL != "" {
		list = append(list, ginkgo.Serial) // one service: experiments would disturb each other
	}
	return list
}

func (t *trial) runOnce(p *pool) {
	ginkgo.BeforeAll(func(ctx ginkgo.SpecContext) {
		if err := p.await(ctx, t); err != nil {
			ginkgo.Fail(fmt.Sprintf("could not run: %v", err))
		}
		for _, line := range report.Lines(t.verdict) {
			ginkgo.GinkgoWriter.Println(line)
		}
	})
}

// fired fails the spec unless the ledger shows that the faults fired as
// planned.
func (t *trial) fired() {
	if t.misfire != "" {
		ginkgo.Fail(t.misfire + t.where())
	}
}

// holds fails the spec unless hypothesis i held. The message is the verdict
// line.
func (t *trial) holds(i int) {
	f := t.verdict.Findings[i]
	if f.Status != hypotheses.Held {
		ginkgo.Fail(report.Line(f) + t.where())
	}
}

func (t *trial) ended() {
	for _, f := range t.verdict.Findings[len(t.experiment.Hypotheses):] {
		if f.Status == hypotheses.Refuted {
			ginkgo.Fail(report.Line(f) + t.where())
		}
	}
	if t.verdict.AbortedBy != "" {
		ginkgo.Fail("aborted by " + t.verdict.AbortedBy + t.where())
	}
}

func (t *trial) refuted() {
	lines := ""
	for _, f := range t.verdict.Findings {
		if f.Kind == t.fits && f.Status == hypotheses.Refuted {
			return
		}
		lines += report.Line(f) + "\n"
	}
	ginkgo.Fail(fmt.Sprintf("%s was not refuted:\n%s%s", t.fits, lines, t.where()))
}

// where says where the journal is, if it was kept.
func (t *trial) where() string {
	if t.dir == "" {
		return ""
	}
	return "\njournal: " + t.dir
}
