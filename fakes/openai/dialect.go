package openai

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/brownout-chaos/brownout/fakes/dialect"
)

// The APIs of the dialect, as match.api and the ledger name them.
const (
	Chat   = "chat"
	Models = "models"
)

const contentJSON = "application/json"

// Dialect is OpenAI's wire format.
type Dialect struct{}

// Name is "openai".
func (Dialect) Name() string { return "openai" }

// BasePath is "/v1".
func (Dialect) BasePath() string { return "/v1" }

// Route knows .../chat/completions, .../models and .../models/{id}, under any
// prefix, with or without /v1.
func (Dialect) Route(r *http.Request) (api string, status int) {
	path := strings.TrimSuffix(r.URL.EscapedPath(), "/")
	method := http.MethodGet
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		api, method = Chat, http.MethodPost
	case strings.HasSuffix(path, "/models"), strings.HasSuffix(parent(path), "/models"):
		api = Models
	default:
		return "", http.StatusNotFound
	}
	if r.Method != method {
		return api, http.StatusMethodNotAllowed
	}
	return api, 0
}

// parent is the path without its last part.
func parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

// Read reads the call of the API.
func (Dialect) Read(api string, r *http.Request, body []byte) dialect.Request {
	if api == Models {
		return readModels(r)
	}
	return readChat(body)
}

// Header adds the request id, the processing time, the API version and the
// state of the rate limits. The limits are constant; a rate limit error shows
// them used up.
func (Dialect) Header(h http.Header, r dialect.Receipt) {
	remaining, reset := "9999", "6ms"
	if r.Reply != nil && limited(r.Reply.Class) {
		remaining, reset = "0", "1s"
		if wait, ok := r.Reply.RetryAfter.Deadline(); ok {
			reset = wait.String()
		}
	}
	sent := [...]struct{ name, value string }{
		{"X-Request-Id", "req_" + r.ID},
		{"Openai-Processing-Ms", strconv.FormatInt(r.Took.Milliseconds(), 10)},
		{"Openai-Version", "2020-10-01"},
		{"Openai-Organization", "brownout"},
		{"X-Ratelimit-Limit-Requests", "10000"},
		{"X-Ratelimit-Limit-Tokens", "2000000"},
		{"X-Ratelimit-Remaining-Requests", remaining},
		{"X-Ratelimit-Remaining-Tokens", "1999000"},
		{"X-Ratelimit-Reset-Requests", reset},
		{"X-Ratelimit-Reset-Tokens", "30ms"},
	}
	values := make([]string, len(sent)) // one allocation for all
	for i, header := range sent {
		values[i] = header.value
		h[header.name] = values[i : i+1 : i+1]
	}
}
