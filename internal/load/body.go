package load

import (
	"io"
	"net/http"
	"strings"
)

// setBody gives the request its body such that [http.Transport] never sends
// it twice. By itself it would, in silence: a GET, or anything with an
// idempotency key, whose connection broke before the answer goes out again on
// another one, and one user's request becomes two. A body that cannot be read
// again stops that. Other requests may still move to another connection as
// long as none of their bytes was written.
func setBody(req *http.Request, body string) {
	reader := func() io.ReadCloser { return io.NopCloser(strings.NewReader(body)) }
	switch {
	case repeatable(req):
		req.Body = reader()
	case body != "":
		req.Body = reader()
		req.GetBody = func() (io.ReadCloser, error) { return reader(), nil }
	}
	req.ContentLength = int64(len(body))
}

// repeatable reports whether the transport believes that the request may be
// sent twice.
func repeatable(req *http.Request) bool {
	switch req.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return req.Header.Get("Idempotency-Key") != "" || req.Header.Get("X-Idempotency-Key") != ""
}
