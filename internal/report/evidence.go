package report

import (
	"fmt"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// mostEvidence bounds the requests that a report describes.
const mostEvidence = 5

// evidence describes the first requests that refute something, one line each.
func evidence(v hypotheses.Verdict, j hypotheses.Journal) []string {
	ids, wanted := []string{}, map[string]bool{}
	for _, f := range v.Findings {
		for _, id := range f.Evidence {
			if f.Status == hypotheses.Refuted && !wanted[id] && len(ids) < mostEvidence {
				wanted[id] = true
				ids = append(ids, id)
			}
		}
	}
	found := map[string]string{}
	for _, r := range j.Requests {
		if wanted[r.ID] {
			found[r.ID] = requestLine(r)
		}
	}
	lines := []string{}
	for _, id := range ids {
		if line, ok := found[id]; ok {
			lines = append(lines, line)
		}
	}
	return lines
}

// requestLine is what became of a request: "r-000123 ask in fault, planned at
// 12.3s: failed after 2.41s, status 503".
func requestLine(r hypotheses.Request) string {
	line := fmt.Sprintf("%s %s in %s, planned at %s: %s", r.ID, r.Endpoint, r.Phase, inUnit(r.Planned.Float(), "s", 3), r.Outcome)
	if r.End > r.Planned {
		line += " after " + inUnit((r.End-r.Planned).Float(), "s", 3)
	}
	if r.Status != 0 {
		line += fmt.Sprintf(", status %d", r.Status)
	}
	if r.Error != "" && r.Error != hypotheses.ErrStatus {
		line += ", " + string(r.Error)
	}
	if r.Detail != "" && !strings.Contains(line, r.Detail) {
		line += ": " + r.Detail
	}
	return oneLine(line)
}
