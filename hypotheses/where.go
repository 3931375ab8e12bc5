package hypotheses

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brownout-chaos/brownout/internal/expression"
	"github.com/brownout-chaos/brownout/internal/strict"
)

// Expressions in where see of a request: status, error, header, body, events,
// text, latency, calls (how many leaf calls it caused) and answered_by (the
// provider of its last good leaf call). Where leaf calls are picked they see
// call as well, with the fields of callFields.

// compileRequest compiles an expression over requests.
func compileRequest(source string) (*expression.Program, error) {
	return compileWhere(source, requestFields(&Request{}, 0, ""))
}

// compileCall compiles an expression over leaf calls and their requests; ""
// is nil: every call.
func compileCall(source string) (*expression.Program, error) {
	if source == "" {
		return nil, nil
	}
	env := requestFields(&Request{}, 0, "")
	fields := callFields(&LeafCall{}, 0)
	env["call"] = fields
	program, err := compileWhere(source, env)
	if err != nil {
		return nil, err
	}
	for _, path := range program.Paths() {
		name, ok := strings.CutPrefix(path, "call.")
		if _, known := fields[name]; ok && !known {
			return nil, fmt.Errorf("where: a call has no %s: %s", name, strict.DidYouMean(name, slices.Sorted(maps.Keys(fields))))
		}
	}
	return program, nil
}

func compileWhere(source string, env map[string]any) (*expression.Program, error) {
	if strings.TrimSpace(source) == "" {
		return nil, fmt.Errorf("where is missing: want an expression, such as status == 429")
	}
	program, err := expression.Compile(source, env)
	if err != nil {
		return nil, fmt.Errorf("where: %w", err)
	}
	return program, nil
}

func requestFields(q *Request, calls int, answeredBy string) map[string]any {
	header := map[string]string{}
	env := map[string]any{
		"status": q.Status, "error": string(q.Error), "header": header, "body": nil,
		"events": q.Events, "text": "", "latency": (q.End - q.Planned).Duration(),
		"calls": calls, "answered_by": answeredBy,
	}
	for path, value := range q.Seen {
		name, isHeader := strings.CutPrefix(path, "header.")
		switch {
		case value == nil || path == "header" || partOfKept(path, q.Seen):
		case isHeader:
			header[name] = fmt.Sprint(value)
		default:
			plant(env, strings.Split(path, "."), value)
		}
	}
	if whole, ok := q.Seen["header"].(map[string]any); ok {
		for name, value := range whole {
			header[name] = fmt.Sprint(value)
		}
	}
	return env
}

// partOf reports whether path leads into what the path whole leads to.
func partOf(path, whole string) bool { return strings.HasPrefix(path, whole+".") }

// partOfKept reports whether what the path leads to is part of another value
// that was kept.
func partOfKept(path string, seen map[string]any) bool {
	for whole := range seen {
		if partOf(path, whole) {
			return true
		}
	}
	return false
}

// plant puts a value at its path.
func plant(env map[string]any, path []string, value any) {
	for ; len(path) > 1; path = path[1:] {
		inner, ok := env[path[0]].(map[string]any)
		if !ok {
			inner = map[string]any{}
			env[path[0]] = inner
		}
		env = inner
	}
	env[path[0]] = value
}

func callFields(c *LeafCall, attempt int) map[string]any {
	return map[string]any{
		"provider": c.Provider, "api": c.API, "model": c.Model, "stream": c.Stream, "status": c.Status,
		"fault": c.Fault, "latency": time.Duration(c.End - c.Arrived), "hung_up": c.HungUp, "attempt": attempt,
		"tokens_in": c.TokensIn, "tokens_out": c.TokensOut,
	}
}

// usesCalls reports whether the expression asks which calls a request caused.
func usesCalls(p *expression.Program) bool {
	return slices.Contains(p.Names(), "calls") || slices.Contains(p.Names(), "answered_by")
}

// recordedPaths are the paths of the expression that only the load generator
// can see.
func recordedPaths(p *expression.Program) []string {
	list := []string{}
	for _, path := range p.Paths() {
		root, _, _ := strings.Cut(path, ".")
		if slices.Contains([]string{"body", "header", "text"}, root) {
			list = append(list, path)
		}
	}
	return list
}

// A picker is a hypothesis with an expression.
type picker interface {
	where() (*expression.Program, error)
}

// Paths are the parts of answers that the hypotheses of the experiment look
// at, sorted: body.degraded, header.x-cache, text. A run keeps their values in
// [Request] Seen.
func (e Experiment) Paths() []string {
	list := []string{}
	for _, claim := range e.Hypotheses {
		h, ok := claim.Hypothesis.(picker)
		if !ok {
			continue
		}
		if p, err := h.where(); err == nil && p != nil {
			list = append(list, recordedPaths(p)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
