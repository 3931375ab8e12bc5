package load

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/expression"
)

// An endpoint is an endpoint of the service, ready to be sent to.
type endpoint struct {
	method   string
	address  string // with the variables of single requests still in it
	headers  map[string]string
	body     string
	header   string // attribution header
	seed     uint64
	patience time.Duration
	stream   *mapping // nil: not streamed

	failed         *expression.Program // nil: status >= 400
	failedByStatus bool                // failed replaces status >= 400
	degraded       *expression.Program // nil: never
	seen           []string
	needs          needs
}

// newEndpoint compiles an endpoint. Errors name the key that is wrong.
func newEndpoint(e hypotheses.Endpoint, cfg Config, vars *variables) (*endpoint, error) {
	compiled := &endpoint{
		header:   cfg.Service.Attribution.HeaderName(),
		seed:     cfg.Seed,
		patience: e.Patience(),
		headers:  map[string]string{},
		seen:     cfg.Seen,
	}
	if err := compiled.setAddress(cfg.Base, e.Request, vars); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	var err error
	for name, value := range e.Headers {
		if compiled.headers[name], err = vars.resolve(value); err != nil {
			return nil, fmt.Errorf("headers.%s: %w", name, err)
		}
		if err := checkHeader(name, compiled.headers[name]); err != nil {
			return nil, fmt.Errorf("headers: %w", err)
		}
	}
	if compiled.body, err = vars.resolve(e.Body); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	if compiled.stream, err = newMapping(e.Stream); err != nil {
		return nil, err
	}
	if compiled.failed, err = compileOutcome(e.FailedWhen); err != nil {
		return nil, fmt.Errorf("failed_when: %w", err)
	}
	if compiled.degraded, err = compileOutcome(e.DegradedWhen); err != nil {
		return nil, fmt.Errorf("degraded_when: %w", err)
	}
	compiled.failedByStatus = compiled.failed != nil && mentions(compiled.failed, "status")
	compiled.needs = newNeeds(compiled.failed, compiled.degraded, cfg.Seen)
	return compiled, nil
}

func (e *endpoint) setAddress(base, request string, vars *variables) error {
	method, path, ok := strings.Cut(strings.TrimSpace(request), " ")
	if !ok {
		return fmt.Errorf("%q is no method and path: want for instance POST /ask", request)
	}
	path, err := vars.resolve(strings.TrimSpace(path))
	if err != nil {
		return err
	}
	service, err := url.Parse(base)
	if err != nil || service.Host == "" {
		return fmt.Errorf("%q is no address of a service: want for instance http://127.0.0.1:8080", base)
	}
	e.method = strings.ToUpper(method)
	e.address = strings.TrimSuffix(service.String(), "/") + "/" + strings.TrimPrefix(path, "/")
	_, err = e.newRequest(context.Background(), hypotheses.Request{Seq: 1})
	return err
}

// newRequest is the HTTP request of one user.
func (e *endpoint) newRequest(ctx context.Context, r hypotheses.Request) (*http.Request, error) {
	fill := strings.NewReplacer(
		"${marker}", hypotheses.Marker(e.seed, r.Seq),
		"${request_id}", r.ID,
		"${seq}", strconv.Itoa(r.Seq),
	).Replace
	req, err := http.NewRequestWithContext(ctx, e.method, fill(e.address), nil)
	if err != nil {
		return nil, fmt.Errorf("%q: not a request that can be sent: %w", e.method+" "+e.address, err)
	}
	for name, value := range e.headers {
		req.Header.Set(name, fill(value))
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	req.Header.Set(e.header, r.ID)
	req.Header.Set("Traceparent", fmt.Sprintf("00-%s-%016x-01", r.Trace, r.Seq))
	setBody(req, fill(e.body))
	return req, nil
}

// checkHeader reports a header that net/http would refuse to send.
func checkHeader(name, value string) error {
	token := func(r rune) bool {
		return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	}
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !token(r) }) {
		return fmt.Errorf("%q is no name of a header: want letters, digits and dashes", name)
	}
	if strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
		return fmt.Errorf("the value of %s has a line break or control character: want one line", name)
	}
	return nil
}
