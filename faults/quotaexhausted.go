package faults

// QuotaExhausted is the 429 that waiting does not cure: no credit left. A
// service should not retry it; most SDKs do. YAML: quota_exhausted: {code:
// credit_balance_exhausted}.
type QuotaExhausted struct {
	Code string `json:"code,omitempty"` // "": the dialect's own
}

// Kind is "quota_exhausted".
func (QuotaExhausted) Kind() string { return "quota_exhausted" }

// Check passes always.
func (QuotaExhausted) Check() error { return nil }

// Script leaves status and body to the dialect.
func (f QuotaExhausted) Script() Script {
	return Script{Reply: &Reply{Class: ClassQuota, Code: f.Code}}
}
