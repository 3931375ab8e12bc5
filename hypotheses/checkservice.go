package hypotheses

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/brownout-chaos/brownout/internal/expression"
	"github.com/brownout-chaos/brownout/internal/strict"
)

// Check reports the first mistake in a service, by the path of the value.
func (s Service) Check() error {
	checks := []func() error{s.checkSubject, s.checkAddresses, s.checkEndpoints, s.checkAttribution}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (s Service) checkSubject() error {
	subject := s.Subject
	switch {
	case subject.URL == "" && subject.Command == nil:
		return &problem{"service", "neither url nor command", "write url: http://127.0.0.1:8080, or command: {run: [./service]}"}
	case subject.URL != "" && subject.Command != nil:
		return &problem{"service.command", "both url and command: want exactly one", "take one of them out"}
	case subject.ReadyTimeout != nil && *subject.ReadyTimeout <= 0:
		return &problem{"service.ready_timeout", fmt.Sprintf("%v is no time to wait: want more than 0s", *subject.ReadyTimeout), ""}
	}
	if subject.URL != "" {
		if err := checkURL("service.url", subject.URL); err != nil {
			return err
		}
	}
	if subject.Ready != "" {
		if err := checkRequestLine("service.ready", subject.Ready, "/", "http://", "https://"); err != nil {
			return err
		}
	}
	return s.checkCommand()
}

func (s Service) checkCommand() error {
	there := []string{}
	if command := s.Subject.Command; command != nil {
		there = append(there, "port")
		if len(command.Run) == 0 || command.Run[0] == "" {
			return &problem{"service.command.run", "no program to run", "write run: [./service, --port, \"${port}\"]"}
		}
		for i, word := range command.Run {
			if err := s.checkVariables(fmt.Sprintf("service.command.run[%d]", i), word, there...); err != nil {
				return err
			}
		}
	}
	if s.Subject.Command != nil && !s.Subject.usesPort() {
		return &problem{path: "service.command.run", text: "${port} is neither in run nor in env: the service would not know where to listen",
			hint: "pass it, such as run: [./service, --port, \"${port}\"]"}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Subject.Env.Vars)) {
		if err := s.checkVariables("service.env."+name, s.Subject.Env.Vars[name], there...); err != nil {
			return err
		}
	}
	if s.Subject.Env.SDK {
		if _, err := s.PrimaryProvider(); err != nil {
			return &problem{"service.env", "sdk: " + err.Error(), ""}
		}
	}
	return nil
}

func (s Subject) usesPort() bool {
	texts := append(slices.Collect(maps.Values(s.Env.Vars)), s.Command.Run...)
	return slices.ContainsFunc(texts, func(text string) bool { return slices.Contains(Variables(text), "port") })
}

func (s Service) checkAddresses() error {
	for _, name := range slices.Sorted(maps.Keys(s.Providers)) {
		if err := checkListen("providers."+name, s.Providers[name].Listen); err != nil {
			return err
		}
		if _, twice := s.Dependencies[name]; twice {
			return &problem{"dependencies." + name, "a provider has the same name", "give one of them another name"}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Dependencies)) {
		d := s.Dependencies[name]
		if err := checkListen("dependencies."+name, d.Listen); err != nil {
			return err
		}
		if err := checkAddress("dependencies."+name+".upstream", d.Upstream); err != nil {
			return err
		}
	}
	return nil
}

func (s Service) checkEndpoints() error {
	if len(s.Endpoints) == 0 {
		return &problem{"endpoints", "the service has no endpoints", `name at least one, such as ask: {request: POST /ask}`}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Endpoints)) {
		if name == Bystanders {
			return &problem{"endpoints." + name, "the name bystanders means all bystander endpoints together", "give it another name"}
		}
		if err := s.checkEndpoint("endpoints."+name, s.Endpoints[name]); err != nil {
			return err
		}
	}
	return nil
}

func (s Service) checkEndpoint(path string, e Endpoint) error {
	if err := checkRequestLine(path+".request", e.Request, "/"); err != nil {
		return err
	}
	if e.Timeout != nil && *e.Timeout <= 0 {
		return &problem{path + ".timeout", fmt.Sprintf("%v is no time to wait: want more than 0s", *e.Timeout), ""}
	}
	perRequest := []string{"marker", "request_id", "seq"}
	for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
		if err := checkHeaderName(path+".headers."+name, name); err != nil {
			return err
		}
	}
	texts := map[string]string{path + ".request": e.Request, path + ".body": e.Body}
	for name, value := range e.Headers {
		if reserved := s.reservedHeader(name); reserved != "" {
			return &problem{path: path + ".headers." + name, text: "brownout sends this header itself: " + reserved, hint: "take it out"}
		}
		texts[path+".headers."+name] = value
	}
	for _, at := range slices.Sorted(maps.Keys(texts)) {
		if err := s.checkVariables(at, texts[at], perRequest...); err != nil {
			return err
		}
	}
	return checkExpressions(path, e)
}

// checkExpressions compiles the expressions of an endpoint. They are evaluated
// when an answer is in, and which calls it took is not known then.
func checkExpressions(path string, e Endpoint) error {
	request := requestFields(&Request{}, 0, "")
	delete(request, "calls")
	delete(request, "answered_by")
	event := map[string]any{"event": "", "data": nil, "raw": ""}
	for _, x := range []struct {
		key, source string
		env         map[string]any
	}{
		{"failed_when", e.FailedWhen, request}, {"degraded_when", e.DegradedWhen, request},
		{"stream.token", e.Stream.Token, event}, {"stream.text", e.Stream.Text, event},
		{"stream.end", e.Stream.End, event}, {"stream.error", e.Stream.Error, event},
	} {
		if err := checkExpression(path+"."+x.key, x.source, x.env); err != nil {
			return err
		}
	}
	return nil
}

// reservedHeader says what a header is needed for, "" where it is free.
func (s Service) reservedHeader(name string) string {
	switch {
	case strings.EqualFold(name, "traceparent"):
		return "leaf calls are attributed by it"
	case strings.EqualFold(name, s.Attribution.HeaderName()):
		return "it carries the request id, and attribution: {header: NAME} moves it"
	}
	return ""
}

func (s Service) checkAttribution() error {
	if s.Attribution.Header != "" {
		if err := checkHeaderName("attribution.header", s.Attribution.Header); err != nil {
			return err
		}
	}
	for i, rung := range s.Attribution.By {
		if !slices.Contains(Rungs(), rung) {
			known := []string{}
			for _, r := range Rungs() {
				known = append(known, string(r))
			}
			return &problem{fmt.Sprintf("attribution.by[%d]", i), fmt.Sprintf("there is no rung %q", rung), strict.DidYouMean(string(rung), known)}
		}
	}
	return nil
}

func checkExpression(path, source string, env map[string]any) error {
	if source == "" {
		return nil
	}
	_, err := expression.Compile(source, env)
	if err == nil {
		return nil
	}
	p := &problem{path: path, text: "the expression does not compile: " + err.Error()}
	if env != nil {
		p.hint = "it sees " + strings.Join(slices.Sorted(maps.Keys(env)), ", ")
	}
	var at *expression.Error
	if errors.As(err, &at) && at.Column > 0 {
		return &inText{p, at.Column}
	}
	return p
}

func checkURL(path, text string) error {
	u, err := url.Parse(text)
	if err == nil && u.User != nil {
		return &problem{path: path, text: "a login in the address would be written into results", hint: "give it to the endpoints: headers: {Authorization: \"Basic ${env.LOGIN}\"}"}
	}
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return &problem{path, fmt.Sprintf("%q is not the address of a service", text), "write http://HOST:PORT"}
	}
	return nil
}

// checkRequestLine wants a method and a target that starts in one of these
// ways.
func checkRequestLine(path, line string, starts ...string) error {
	method, target, _ := strings.Cut(line, " ")
	target = strings.TrimSpace(target)
	known := []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}
	fits := slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(target, start) })
	if !slices.Contains(known, method) || !fits || strings.ContainsAny(target, " \t\r\n") {
		return &problem{path, fmt.Sprintf("%q is not a request", line), "write a method and a path, such as GET /readyz or POST /ask"}
	}
	return nil
}

// checkHeaderName wants a name that HTTP can carry.
func checkHeaderName(path, name string) error {
	const others = "!#$%&'*+-.^_`|~"
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(others, r)
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		return &problem{path, fmt.Sprintf("%q is not the name of a header", name), "write letters, digits and dashes, such as X-Request-ID"}
	}
	return nil
}

// checkListen wants host:port, or nothing: a free port.
func checkListen(path, address string) error {
	if address == "" {
		return nil
	}
	return checkAddress(path+".listen", address)
}

// checkAddress wants host:port.
func checkAddress(path, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return &problem{path, fmt.Sprintf("%q is not an address", address), "write HOST:PORT, such as 127.0.0.1:9101"}
	}
	return nil
}
