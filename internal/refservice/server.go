package refservice

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const (
	anyPort      = "127.0.0.1:0"
	maxBody      = 1 << 20 // bytes of a question
	headerID     = "X-Request-ID"
	headerTrace  = "traceparent"
	pathAsk      = "POST /ask"
	pathStream   = "POST /ask/stream"
	contentJSON  = "application/json"
	retrySeconds = "1"
)

// errUnavailable marks errors of a service that did all it could: the user may
// try again later.
var errUnavailable = errors.New("no provider could answer")

// A Server is a running sample service.
type Server struct {
	host   *host
	policy answerer
}

// Start starts the service of cfg.Policy. It serves when Start returns.
func Start(cfg Config) (*Server, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("service %s: %w", cfg.Policy, err)
	}
	policy, err := build(cfg)
	if err != nil {
		return nil, err
	}
	s := &Server{policy: policy}
	s.host, err = serve(cmp.Or(cfg.Listen, anyPort), s.routes())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("service %s: %w", cfg.Policy, err), policy.close())
	}
	return s, nil
}

// URL is where the service answers, such as http://127.0.0.1:8080.
func (s *Server) URL() string { return s.host.url }

// Close cancels running requests and frees everything the service holds. It
// takes 5 s at most and reports a request that outlived it.
func (s *Server) Close() error { return errors.Join(s.host.close(), s.policy.close()) }

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(pathAsk, s.ask)
	mux.HandleFunc(pathStream, s.askStream)
	mux.HandleFunc("GET /search", search)
	mux.HandleFunc("GET /livez", alive)
	mux.HandleFunc("GET /readyz", alive)
	return mux
}

func (s *Server) ask(w http.ResponseWriter, r *http.Request) {
	q, err := readQuestion(w, r)
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	a, err := s.policy.answer(r.Context(), q)
	if err != nil {
		unanswered(w, err)
		return
	}
	writeJSON(w, http.StatusOK, a)
}

func (s *Server) askStream(w http.ResponseWriter, r *http.Request) {
	q, err := readQuestion(w, r)
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	out := newEvents(w)
	a, err := s.policy.stream(r.Context(), q, out)
	switch {
	case err == nil:
		_ = out.done(a) // an error means that the user has left
	case out.started:
		_ = out.fail(err)
	default:
		unanswered(w, err)
	}
}

func readQuestion(w http.ResponseWriter, r *http.Request) (question, error) {
	// The body is read to its end: net/http notices a user who leaves only
	// after that.
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return question{}, err
	}
	var body struct{ Question string }
	if err := json.Unmarshal(data, &body); err != nil {
		return question{}, fmt.Errorf(`body: %w: want {"question": "..."}`, err)
	}
	if body.Question == "" {
		return question{}, errors.New(`body: no question: want {"question": "..."}`)
	}
	return question{
		text:        body.Question,
		requestID:   r.Header.Get(headerID),
		traceparent: r.Header.Get(headerTrace),
	}, nil
}

func alive(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// unanswered tells a failure of the providers.
func unanswered(w http.ResponseWriter, err error) {
	if errors.Is(err, errUnavailable) {
		w.Header().Set("Retry-After", retrySeconds)
		refuse(w, http.StatusServiceUnavailable, err)
		return
	}
	refuse(w, http.StatusBadGateway, err)
}

func refuse(w http.ResponseWriter, status int, err error) {
	writeJSON(w, status, map[string]string{"error": err.Error()})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", contentJSON)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // an error means that the user has left
}
