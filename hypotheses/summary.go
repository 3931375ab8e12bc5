package hypotheses

import (
	"fmt"
	"strconv"

	"github.com/brownout-chaos/brownout/hypotheses/stats"
)

func phaseReports(j Journal) []PhaseReport {
	list := []PhaseReport{}
	for _, p := range j.Phases {
		list = append(list, PhaseReport{Name: p.Name, StartS: p.Start.Float(), EndS: p.End.Float()})
	}
	return list
}

func (r *record) faultReports() []FaultReport {
	list := []FaultReport{}
	for _, use := range r.faultUses() {
		list = append(list, FaultReport{
			Name: use.name, Kind: use.kind, To: use.to, Planned: use.planned,
			Matched: use.matched, Fired: use.fired, RequestsReached: use.requests, Late: use.late,
		})
	}
	return list
}

func (r *record) requestReport() RequestReport {
	report := RequestReport{Total: len(r.requests), ByEndpoint: map[string]map[Outcome]int{}}
	for _, q := range r.requests {
		if report.ByEndpoint[q.Endpoint] == nil {
			report.ByEndpoint[q.Endpoint] = map[Outcome]int{}
		}
		report.ByEndpoint[q.Endpoint][q.Outcome]++
	}
	report.Total = max(report.Total, r.journal.End.Requests)
	return report
}

func (r *record) callReport() CallReport {
	report := CallReport{
		Attributed: r.found.calls, Orphans: r.found.orphans, Foreign: r.found.foreign,
		Method: r.found.method, Share: r.found.share,
		PerRequest: r.callsPerRequest(), Amplification: r.amplification(),
		ByProvider: r.callsByProvider(), Total: r.totalCalls(),
	}
	for _, c := range r.calls {
		if c.HungUp == "caller" {
			report.WastedTokens += c.TokensOut
		}
	}
	return report
}

// callsByProvider are the exact totals where the run ended by itself, else
// what the journal holds.
func (r *record) callsByProvider() map[string]int {
	counts := map[string]int{}
	for _, c := range r.calls {
		counts[c.Provider]++
	}
	for provider, n := range r.journal.End.Calls {
		counts[provider] = max(counts[provider], n)
	}
	return counts
}

// callsPerRequest is the distribution of leaf calls over the requests that
// were sent, bystanders left out.
func (r *record) callsPerRequest() CallsPerRequest {
	d := CallsPerRequest{Histogram: map[string]int{}}
	counts, total := []float64{}, 0
	for _, q := range r.requests {
		if r.bystander(q.Endpoint) || !q.sent() {
			continue
		}
		n := len(r.callsOf[q])
		d.Histogram[strconv.Itoa(n)]++
		d.Max = max(d.Max, n)
		counts = append(counts, float64(n))
		total += n
	}
	if len(counts) > 0 {
		d.Mean = float64(total) / float64(len(counts))
		d.P99 = int(stats.Quantile(counts, 0.99))
	}
	return d
}

// amplification is that of all endpoints while a fault was active, 0 where it
// is not known.
func (r *record) amplification() float64 {
	e := r.evidence(AmplificationClaim{})
	now, base, err := e.callTotals()
	if err != nil || base.Ratio() == 0 || len(r.journal.Windows) == 0 {
		return 0
	}
	return now.Ratio() / base.Ratio()
}

func (r *record) healthReport(tightest float64) HealthReport {
	h := r.journal.Health
	allowed := max(lateFloor, lateShare*tightest)
	report := HealthReport{
		LoadLatenessP99MS:     1e3 * h.LoadLateness.Float(),
		ProviderLatenessP99MS: 1e3 * h.ProviderLateness.Float(),
		NotSent:               h.NotSent,
		Notes:                 []string{},
	}
	infrastructure := false
	for _, n := range r.journal.Notes {
		report.Notes = append(report.Notes, n.Text)
		infrastructure = infrastructure || n.Kind == noteInfrastructure || n.Kind == noteClock
	}
	report.Notes = append(report.Notes, r.attributionNotes()...)
	report.Valid = h.LoadLateness.Float() <= allowed && h.ProviderLateness.Float() <= allowed && !infrastructure &&
		h.Evicted == 0 && float64(h.NotSent) <= notSentShare*float64(len(r.requests))
	return report
}

// orphanAlarm is the share of the baseline's calls without a request from
// which on the reader must know.
const orphanAlarm = 0.005

// attributionNotes say what a reader must know about calls that were not given
// to a request.
func (r *record) attributionNotes() []string {
	notes, early, baseline := []string{}, 0, 0
	for _, c := range r.calls {
		if len(r.requests) > 0 && c.Arrived < r.requests[0].Planned {
			early++
		}
		if during(r.phaseSpans(PhaseBaseline), c.Arrived) {
			baseline++
		}
	}
	if early > 0 {
		notes = append(notes, fmt.Sprintf("%s arrived before the first request: the service calls its providers by itself", plural(early, "leaf call")))
	}
	if n := r.found.baseline; n > 0 && float64(n) > orphanAlarm*float64(baseline) {
		notes = append(notes, fmt.Sprintf("%d of %s in the baseline carry no id of a request: they are of background jobs, or requests are undercounted",
			n, plural(baseline, "leaf call")))
	}
	if _, err := r.experiment.Service.PrimaryProvider(); err != nil && len(r.experiment.Service.Providers) > 1 {
		notes = append(notes, fmt.Sprintf("no provider is named primary: answers of others than %s count as fallbacks", r.primary))
	}
	return notes
}
