package refservice

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// events writes server-sent events to one user. The status 200 goes out with
// the first of them, so that a request that fails before any token can still
// fail with a status.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
	started bool
}

func newEvents(w http.ResponseWriter) *events {
	return &events{w: w, control: http.NewResponseController(w)}
}

// token sends a piece of the answer.
func (e *events) token(text string) error {
	return e.send("token", map[string]string{"text": text})
}

// restart says that the tokens so far are void: the text starts over.
func (e *events) restart(provider string) error {
	return e.send("restart", map[string]string{"provider": provider})
}

// done ends a whole answer.
func (e *events) done(a answer) error {
	return e.send("done", map[string]any{"degraded": a.Degraded, "provider": a.Provider})
}

// fail ends an answer that stays incomplete.
func (e *events) fail(err error) error {
	return e.send("error", map[string]string{"message": err.Error()})
}

func (e *events) send(name string, value any) error {
	if !e.started {
		e.started = true
		e.w.Header().Set("Content-Type", "text/event-stream")
		e.w.Header().Set("Cache-Control", "no-cache")
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return err
	}
	return e.control.Flush()
}
