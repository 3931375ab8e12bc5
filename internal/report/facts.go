package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
)

// A fact is what is said about one side of a run, a line or more.
type fact struct {
	label string
	lines []string
	whole bool // a line to copy: it is never broken
}

// facts are what a reader needs beside the answers, in order. Those about
// which there is nothing to say have no lines.
func facts(v hypotheses.Verdict, j hypotheses.Journal) []fact {
	list := []fact{
		{label: "evidence", lines: evidence(v, j)},
		{label: "faults", lines: faultLines(v.Faults)},
		{label: "requests", lines: requestLines(v.Requests)},
		{label: "leaf calls", lines: callLines(v.LeafCalls)},
		{label: "harness", lines: []string{harnessLine(v.Health)}},
		{label: "notes", lines: cleaned(v.Health.Notes)},
	}
	if v.AbortedBy != "" {
		list = append(list, fact{label: "aborted by", lines: []string{oneLine(v.AbortedBy)}})
	}
	return append(list, fact{label: "verdict", lines: []string{verdictLine(v)}})
}

// repeat is the command that runs the experiment again.
func repeat(v hypotheses.Verdict) fact {
	f := fact{label: "run again", whole: true}
	if v.Command != "" {
		f.lines = []string{oneLine(v.Command)}
	}
	return f
}

func cleaned(texts []string) []string {
	lines := make([]string, len(texts))
	for i, text := range texts {
		lines[i] = oneLine(text)
	}
	return lines
}

func faultLines(list []hypotheses.FaultReport) []string {
	lines := make([]string, len(list))
	for i, f := range list {
		planned, fired := "", ""
		if f.Planned != nil {
			planned = "planned " + share(*f.Planned) + ", "
			if f.Matched > 0 {
				fired = " (" + share(float64(f.Fired)/float64(f.Matched)) + ")"
			}
		}
		if f.Kind == (faults.Down{}).Kind() {
			lines[i] = fmt.Sprintf("%s: the port was closed, which cut %s; refused ones are not counted", faultName(f), count(f.Fired, "connection"))
			continue
		}
		lines[i] = fmt.Sprintf("%s: %smatched %d, fired %d%s, reached %s",
			faultName(f), planned, f.Matched, f.Fired, fired, count(f.RequestsReached, "request"))
		if f.Late > 0 {
			lines[i] += fmt.Sprintf(", %d late", f.Late)
		}
	}
	return lines
}

// faultName is the name of a fault with its target, and with its kind where
// the name does not tell it.
func faultName(f hypotheses.FaultReport) string {
	name := oneLine(f.Name)
	if !strings.Contains(name, f.Kind) {
		name += " (" + f.Kind + ")"
	}
	if f.To != "" && !strings.Contains(name, f.To) {
		name += " to " + f.To
	}
	return name
}

func requestLines(r hypotheses.RequestReport) []string {
	lines := []string{}
	for _, name := range slices.Sorted(maps.Keys(r.ByEndpoint)) {
		outcomes, sum := outcomeWords(r.ByEndpoint[name])
		lines = append(lines, fmt.Sprintf("%s %d: %s", name, sum, outcomes))
	}
	if len(lines) == 0 {
		return []string{"none"}
	}
	return lines
}

// outcomeWords are the counts, the expected outcomes first.
func outcomeWords(counts map[hypotheses.Outcome]int) (words string, sum int) {
	order := []hypotheses.Outcome{hypotheses.OK, hypotheses.Degraded, hypotheses.Failed, hypotheses.NotSent, hypotheses.Dropped}
	place := func(o hypotheses.Outcome) int {
		if i := slices.Index(order, o); i >= 0 {
			return i
		}
		return len(order)
	}
	list := []string{}
	for _, o := range slices.SortedFunc(maps.Keys(counts), func(a, b hypotheses.Outcome) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	}) {
		sum += counts[o]
		if counts[o] > 0 {
			list = append(list, fmt.Sprintf("%d %s", counts[o], strings.ReplaceAll(string(o), "_", " ")))
		}
	}
	return strings.Join(list, ", "), sum
}

func harnessLine(h hypotheses.HealthReport) string {
	state := "in good order"
	if !h.Valid {
		state = "NOT in good order"
	}
	return fmt.Sprintf("%s: p99 late by %s (load) and %s (providers), %s not sent",
		state, inUnit(h.LoadLatenessP99MS/1000, "s", 3), inUnit(h.ProviderLatenessP99MS/1000, "s", 3), count(h.NotSent, "request"))
}

// verdictLine sums up: how many hypotheses have which answer, and why those
// that have none have none.
func verdictLine(v hypotheses.Verdict) string {
	counts, reasons := map[hypotheses.State]int{}, []string{}
	for _, f := range v.Findings {
		counts[f.Status]++
		if reason := string(f.Reason); f.Status == hypotheses.Inconclusive && reason != "" && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	words := []string{}
	for _, s := range states() {
		if counts[s] == 0 {
			continue
		}
		word := fmt.Sprintf("%d %s", counts[s], s)
		if s == hypotheses.Inconclusive && len(reasons) > 0 {
			word += " (" + strings.Join(reasons, ", ") + ")"
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		words = []string{"no hypotheses"}
	}
	return fmt.Sprintf("%s: %s; seed %d, %s", v.Status, strings.Join(words, ", "), v.Seed, inUnit(v.DurationS, "s", 3))
}

func states() []hypotheses.State {
	return []hypotheses.State{hypotheses.Held, hypotheses.Refuted, hypotheses.Inconclusive, hypotheses.Aborted, hypotheses.Undeclared}
}
