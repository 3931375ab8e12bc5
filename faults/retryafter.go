package faults

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter is the wait that an error answer hands out. The zero value sends
// no header. Clients obey the forms differently: some cap the wait, some give
// up above a limit, some read only one of the two headers.
type RetryAfter struct {
	Form RetryForm
	Wait time.Duration // for RetrySeconds, RetryDate and RetryBoth
	MS   time.Duration // for RetryMS and RetryBoth
	Raw  string        // for RetryRaw: sent as it stands
}

// A RetryForm is a way to hand out a wait.
type RetryForm string

// The forms of [RetryAfter].
const (
	RetryNone    RetryForm = ""        // no header
	RetrySeconds RetryForm = "seconds" // Retry-After: 2
	RetryDate    RetryForm = "date"    // Retry-After: an HTTP date (whole seconds)
	RetryMS      RetryForm = "ms"      // retry-after-ms: 1500
	RetryBoth    RetryForm = "both"    // Retry-After and retry-after-ms
	RetryRaw     RetryForm = "raw"     // Retry-After: any text
)

// After hands out d in whole seconds, as Retry-After does (RFC 9110, 10.2.3).
func After(d time.Duration) RetryAfter { return RetryAfter{Form: RetrySeconds, Wait: d} }

// AfterDate hands out an HTTP date that lies d ahead when the answer is sent.
func AfterDate(d time.Duration) RetryAfter { return RetryAfter{Form: RetryDate, Wait: d} }

// AfterMS hands out d in the retry-after-ms header of the OpenAI family.
func AfterMS(d time.Duration) RetryAfter { return RetryAfter{Form: RetryMS, MS: d} }

// Headers are the response headers that hand the wait out at the time now.
func (r RetryAfter) Headers(now time.Time) map[string]string {
	ms := strconv.FormatInt(r.MS.Milliseconds(), 10)
	seconds := strconv.FormatInt(int64(r.Wait/time.Second), 10)
	switch r.Form {
	case RetrySeconds:
		return map[string]string{"Retry-After": seconds}
	case RetryDate:
		return map[string]string{"Retry-After": now.Add(r.Wait).UTC().Format(http.TimeFormat)}
	case RetryMS:
		return map[string]string{"Retry-After-Ms": ms}
	case RetryBoth:
		return map[string]string{"Retry-After": seconds, "Retry-After-Ms": ms}
	case RetryRaw:
		return map[string]string{"Retry-After": r.Raw}
	default:
		return nil
	}
}

// Deadline is the wait that a client which obeys every form would keep: the
// finer header where both are sent. It is false where no usable wait is
// handed out.
func (r RetryAfter) Deadline() (time.Duration, bool) {
	switch r.Form {
	case RetrySeconds, RetryDate:
		return r.Wait, r.Wait > 0
	case RetryMS, RetryBoth:
		return r.MS, r.MS > 0
	case RetryRaw:
		n, err := strconv.ParseInt(strings.TrimSpace(r.Raw), 10, 32)
		return time.Duration(n) * time.Second, err == nil && n > 0
	default:
		return 0, false
	}
}

// Check reports a wait that its header cannot express.
func (r RetryAfter) Check() error {
	if (r.Form == RetrySeconds || r.Form == RetryBoth) && (r.Wait < 0 || r.Wait%time.Second != 0) {
		return fmt.Errorf("retry_after: Retry-After counts whole seconds and %v is none: write {ms: %d} for the retry-after-ms header, or {raw: TEXT}",
			r.Wait, r.Wait.Milliseconds())
	}
	if r.MS < 0 || r.MS%time.Millisecond != 0 {
		return fmt.Errorf("retry_after: %v is not a whole number of milliseconds, 0 or more", r.MS)
	}
	return nil
}

// retryForms is the mapping form of the key retry_after.
type retryForms struct {
	Date *time.Duration  `json:"date"`
	MS   *int            `json:"ms"`
	Both []time.Duration `json:"both"`
	Raw  *string         `json:"raw"`
}

// UnmarshalYAML reads "2s", none, {date: 3s}, {ms: 1500}, {both: [2s, 300ms]}
// or {raw: TEXT}.
func (r *RetryAfter) UnmarshalYAML(decode func(any) error) error {
	var text string
	if decode(&text) == nil {
		return r.fromText(text)
	}
	var f retryForms
	if err := decode(&f); err != nil {
		return err
	}
	return r.fromForms(f)
}

func (r *RetryAfter) fromText(text string) error {
	if text == "none" {
		*r = RetryAfter{}
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q is not a wait: want a time such as 2s, none, {date: 3s}, {ms: 1500}, {both: [2s, 300ms]} or {raw: TEXT}", text)
	}
	*r = After(d)
	return nil
}

func (r *RetryAfter) fromForms(f retryForms) error {
	given := []RetryAfter{}
	if f.Date != nil {
		given = append(given, AfterDate(*f.Date))
	}
	if f.MS != nil {
		given = append(given, AfterMS(time.Duration(*f.MS)*time.Millisecond))
	}
	if f.Both != nil {
		if len(f.Both) != 2 {
			return fmt.Errorf("both has %d waits, want 2: the one of Retry-After and the one of retry-after-ms", len(f.Both))
		}
		given = append(given, RetryAfter{Form: RetryBoth, Wait: f.Both[0], MS: f.Both[1]})
	}
	if f.Raw != nil {
		given = append(given, RetryAfter{Form: RetryRaw, Raw: *f.Raw})
	}
	if len(given) != 1 {
		return fmt.Errorf("retry_after has %d forms, want exactly one of date, ms, both, raw", len(given))
	}
	*r = given[0]
	return nil
}

// MarshalYAML writes the form that [RetryAfter.UnmarshalYAML] reads.
func (r RetryAfter) MarshalYAML() (any, error) {
	switch r.Form {
	case RetrySeconds:
		return r.Wait.String(), nil
	case RetryDate:
		return map[string]any{"date": r.Wait.String()}, nil
	case RetryMS:
		return map[string]any{"ms": r.MS.Milliseconds()}, nil
	case RetryBoth:
		return map[string]any{"both": []string{r.Wait.String(), r.MS.String()}}, nil
	case RetryRaw:
		return map[string]any{"raw": r.Raw}, nil
	default:
		return "none", nil
	}
}
