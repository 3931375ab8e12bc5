package faults

import (
	"fmt"
	"strings"
)

// Status answers any status before any content. YAML: status: {code: 404,
// headers: {x-a: b}, body: TEXT}. Without a body the dialect words the error.
type Status struct {
	Code    int               `json:"code"` // 200 to 599; 0: 500
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"` // exact body; "": the dialect's own
}

// Kind is "status".
func (Status) Kind() string { return "status" }

// Check reports a code outside 200 to 599, or a header that frames the message.
func (f Status) Check() error {
	for name := range f.Headers {
		switch strings.ToLower(name) {
		case "content-length", "transfer-encoding", "connection", "trailer":
			return fmt.Errorf("headers: %s frames the message and would break it unseen: use truncate for an answer that is cut", name)
		}
	}
	if f.Code == 0 {
		return nil
	}
	return checkStatus("code", f.Code, 200, 599)
}

// Script answers the code.
func (f Status) Script() Script {
	reply := &Reply{Class: ClassStatus, Status: f.Code, Header: f.Headers}
	if f.Code == 0 {
		reply.Status = 500
	}
	if f.Body != "" {
		reply.Body = &Body{ContentType: "application/json", Text: f.Body}
	}
	return Script{Reply: reply}
}

func checkStatus(key string, code, low, high int) error {
	if code < low || code > high {
		return fmt.Errorf("%s is %d: an HTTP status from %d to %d is expected", key, code, low, high)
	}
	return nil
}
