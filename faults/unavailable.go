package faults

// Unavailable answers 503 (or another 5xx status) before any content: the
// provider is down. YAML: unavailable: {status: 503, retry_after: 1s}. A burst
// is this fault in a short window.
type Unavailable struct {
	Code       int        `json:"status,omitempty"` // 500 to 599; 0: 503
	RetryAfter RetryAfter `json:"retry_after,omitzero"`
}

// Kind is "unavailable".
func (Unavailable) Kind() string { return "unavailable" }

// Check reports a status outside 500 to 599, or an impossible wait.
func (f Unavailable) Check() error {
	if f.Code != 0 {
		if err := checkStatus("status", f.Code, 500, 599); err != nil {
			return err
		}
	}
	return f.RetryAfter.Check()
}

// Script answers the status with the dialect's own body for it.
func (f Unavailable) Script() Script {
	status := f.Code
	if status == 0 {
		status = 503
	}
	return Script{Reply: &Reply{Class: ClassUnavailable, Status: status, RetryAfter: f.RetryAfter}}
}
