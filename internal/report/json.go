package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// writeJSON writes result.json. A list or mapping without entries is empty and
// never null, so that readers need not ask.
func writeJSON(w io.Writer, v hypotheses.Verdict, _ hypotheses.Journal) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(filled(v)); err != nil {
		return fmt.Errorf("verdict as JSON: %w", err)
	}
	return nil
}

// filled is the verdict with empty lists and mappings in place of nil ones.
func filled(v hypotheses.Verdict) hypotheses.Verdict {
	v.Phases = append([]hypotheses.PhaseReport{}, v.Phases...)
	v.Findings = append([]hypotheses.Finding{}, v.Findings...)
	for i := range v.Findings {
		v.Findings[i].Evidence = append([]string{}, v.Findings[i].Evidence...)
	}
	v.Faults = append([]hypotheses.FaultReport{}, v.Faults...)
	v.Health.Notes = append([]string{}, v.Health.Notes...)
	if v.Requests.ByEndpoint == nil {
		v.Requests.ByEndpoint = map[string]map[hypotheses.Outcome]int{}
	}
	if v.LeafCalls.ByProvider == nil {
		v.LeafCalls.ByProvider = map[string]int{}
	}
	if v.LeafCalls.PerRequest.Histogram == nil {
		v.LeafCalls.PerRequest.Histogram = map[string]int{}
	}
	return v
}
