package openai

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/brownout-chaos/brownout/fakes/dialect"
	"github.com/brownout-chaos/brownout/faults"
)

// apiError is the body of every error: all four keys are always there.
type apiError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

// Error words the error of a class, or of a status.
func (Dialect) Error(reply faults.Reply) dialect.Answer {
	status, e := wordClass(reply)
	if reply.Status != 0 {
		status = reply.Status
	}
	if reply.Code != "" {
		e.Code = &reply.Code
	}
	if reply.Code == dialect.UnknownURL {
		e.Message = "Unknown request URL: this fake serves chat completions and models."
	}
	return errorAnswer(status, e)
}

func errorAnswer(status int, e apiError) dialect.Answer {
	return dialect.Answer{Status: status, ContentType: contentJSON, Body: encode(envelope{e})}
}

type envelope struct {
	Error apiError `json:"error"`
}

func limited(c faults.Class) bool { return c == faults.ClassRateLimit }

// wordClass gives the status and the body that belong to a class of errors.
func wordClass(reply faults.Reply) (int, apiError) {
	switch reply.Class {
	case faults.ClassRateLimit:
		hint := ""
		if wait, ok := reply.RetryAfter.Deadline(); ok {
			hint = " Please try again in " + wait.String() + "."
		}
		return 429, apiError{Message: "Rate limit reached for requests." + hint, Type: "requests", Code: new("rate_limit_exceeded")}
	case faults.ClassQuota:
		return 429, apiError{Message: "You have no credit left. Check your plan and billing details.", Type: "insufficient_quota", Code: new("credit_balance_exhausted")}
	case faults.ClassOverloaded:
		return 503, apiError{Message: "The engine is overloaded at the moment. Please try again later.", Type: "service_unavailable_error", Code: new("server_is_overloaded")}
	case faults.ClassUnavailable:
		return 503, apiError{Message: "The service is unavailable.", Type: "server_error"}
	default:
		return reply.Status, wordStatus(reply.Status)
	}
}

// wordStatus is the body that belongs to a status.
func wordStatus(status int) apiError {
	e := apiError{Message: fmt.Sprintf("%d %s", status, http.StatusText(status)), Type: "invalid_request_error"}
	switch {
	case status == 401:
		e.Message, e.Code = "Incorrect API key provided.", new("invalid_api_key")
	case status == 404:
		e.Message, e.Code = "The model does not exist or you do not have access to it.", new("model_not_found")
	case status == 429:
		_, e = wordClass(faults.Reply{Class: faults.ClassRateLimit})
	case status >= 500:
		e.Message, e.Type = "The server had an error while processing your request.", "server_error"
	}
	return e
}

// refuse answers a call that makes no sense.
func refuse(param, format string, args ...any) dialect.Answer {
	e := apiError{Message: fmt.Sprintf(format, args...), Type: "invalid_request_error"}
	if param != "" {
		e.Param = &param
	}
	return errorAnswer(http.StatusBadRequest, e)
}

// encode is for values of this package, which are all JSON.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("openai: " + err.Error())
	}
	return text
}
