package target

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
)

const (
	tailBytes = 8 << 10 // of output that are kept
	tailLines = 20      // of them that are shown
)

// A tail passes output on and keeps the end of it. It never blocks the process
// that writes by failing: when out fails, the rest is kept and not passed on.
type tail struct {
	out io.Writer // nil: nobody

	mu   sync.Mutex
	kept []byte
	err  error // of out
}

// Write never fails.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.out != nil && t.err == nil {
		_, t.err = t.out.Write(data)
	}
	t.kept = append(t.kept, data...)
	if extra := len(t.kept) - tailBytes; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(data), nil
}

// failure is why output was not passed on to its end.
func (t *tail) failure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		return nil
	}
	return fmt.Errorf("pass on the output of the service: %w", t.err)
}

// last is the last lines, each indented.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(bytes.TrimRight(t.kept, "\n"))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	return "  " + strings.Join(lines, "\n  ")
}
