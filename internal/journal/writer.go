package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// File is the name of a journal in its result directory.
const File = "journal.jsonl"

// DefaultLimit is how many requests and leaf calls together a journal keeps
// when nothing else is said: about half a gigabyte.
const DefaultLimit = 1_000_000

// version is the version of the file's form.
const version = 1

// flushDelay is the longest time a record stays out of the file.
const flushDelay = 100 * time.Millisecond

// A Writer records a run. All methods are safe for concurrent use. An error in
// writing does not disturb the run: [Writer.Close] reports the first one.
type Writer struct {
	path  string // "": in memory
	limit int

	mu      sync.Mutex
	file    *os.File      // nil: in memory
	memory  *bytes.Buffer // nil: in a file
	out     *bufio.Writer // to file or memory
	pending bool          // a flush is due within flushDelay
	kept    int           // requests and calls written
	evicted int           // requests and calls that there was no room for
	health  *hypotheses.Health
	end     *hypotheses.End
	closed  bool
	err     error // the first
}

// Create starts the journal of a run in the file [File] of dir, which it
// creates if need be. An existing journal is never written over. An empty dir
// keeps the journal in memory. The journal keeps at most limit requests and
// leaf calls together, zero for [DefaultLimit]; later ones are counted in
// Health.Evicted.
//
// An experiment that could not be read back is an error now rather than after
// the run.
func Create(dir string, run hypotheses.Run, limit int) (*Writer, error) {
	w := &Writer{limit: limit}
	if limit == 0 {
		w.limit = DefaultLimit
	}
	first, err := encodeRun(run)
	if err != nil {
		return nil, err
	}
	if err := w.open(dir); err != nil {
		return nil, err
	}
	if w.write(first, true); w.err != nil {
		return nil, errors.Join(w.err, w.closeFile())
	}
	return w, nil
}

func (w *Writer) open(dir string) error {
	if dir == "" {
		w.memory = &bytes.Buffer{}
		w.out = bufio.NewWriter(w.memory)
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("result directory: %w", err)
	}
	w.path = filepath.Join(dir, File)
	file, err := os.OpenFile(w.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, os.ErrExist):
		return fmt.Errorf("%s: there is a journal already, and none is written over: name another directory", w.path)
	case err != nil:
		return err
	}
	w.file, w.out = file, bufio.NewWriterSize(file, 1<<16)
	return nil
}

// Phase records a phase: when it begins, without an end, and when it is over.
// [Read] keeps the later record.
func (w *Writer) Phase(p hypotheses.PhaseSpan) { w.record("phase", p, true) }

// Window records a time in which a fault is on: when it begins, without an end,
// and once it is off. [Read] keeps the later record.
func (w *Writer) Window(f hypotheses.Window) { w.record("window", f, true) }

// Note records something the reader of a verdict must know.
func (w *Writer) Note(n hypotheses.Note) { w.record("note", n, true) }

// Request records a request once its answer is in, if there is room.
func (w *Writer) Request(r hypotheses.Request) {
	if w.room() {
		w.record("request", r, false)
	}
}

// Call records a leaf call once it is over, if there is room.
func (w *Writer) Call(c hypotheses.LeafCall) {
	if w.room() {
		w.record("call", c, false)
	}
}

// Health says how well the harness did. It is written when the journal is
// closed, with the number of evicted records in place of its own.
func (w *Writer) Health(h hypotheses.Health) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.health = &h
}

// End says how the run ended. It is written when the journal is closed.
func (w *Writer) End(e hypotheses.End) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = &e
}

// Close writes health and end and returns the journal, which is what [Read]
// gives from the file. Records that come later are an error of the caller's
// and are lost. When writing failed, Close returns the error and what can be
// read.
func (w *Writer) Close() (hypotheses.Journal, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return hypotheses.Journal{}, errors.New("journal: closed twice")
	}
	w.closed = true
	w.writeEnd()
	if err := w.closeFile(); w.err == nil {
		w.err = err
	}
	j, err := w.read()
	return j, errors.Join(w.err, err)
}

func (w *Writer) writeEnd() {
	if w.health != nil {
		w.health.Evicted = w.evicted
		w.encode("health", w.health)
	}
	if w.end != nil {
		w.encode("end", w.end)
	}
	w.flush()
}

func (w *Writer) closeFile() error {
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}

func (w *Writer) read() (hypotheses.Journal, error) {
	if w.memory != nil {
		return read(w.memory, "journal")
	}
	return Read(filepath.Dir(w.path))
}

// room reports whether one more request or call is kept, and counts it.
func (w *Writer) room() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kept >= w.limit {
		w.evicted++
		return false
	}
	w.kept++
	return true
}

// record appends a record. Encoding is left out of the lock, since it is most
// of the work.
func (w *Writer) record(kind string, fields any, now bool) {
	line, err := encode(kind, fields)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.fail(err)
	w.write(line, now)
}

// encode appends a record under the lock.
func (w *Writer) encode(kind string, fields any) {
	line, err := encode(kind, fields)
	w.fail(err)
	w.write(line, false)
}

func (w *Writer) write(line []byte, now bool) {
	_, err := w.out.Write(line)
	w.fail(err)
	switch {
	case now:
		w.flush()
	case !w.pending && w.file != nil:
		w.pending = true
		time.AfterFunc(flushDelay, w.flushLater)
	}
}

func (w *Writer) flushLater() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.flush()
	}
}

func (w *Writer) flush() {
	w.pending = false
	w.fail(w.out.Flush())
}

func (w *Writer) fail(err error) {
	if w.err == nil && err != nil {
		w.err = fmt.Errorf("write journal: %w", err)
	}
}

// encode is the line of a record: its fields, and its kind beside them.
func encode(kind string, fields any) ([]byte, error) {
	object, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	line := make([]byte, 0, len(object)+len(kind)+12)
	line = append(line, `{"type":"`...)
	line = append(line, kind...)
	line = append(line, `",`...)
	line = append(line, object[1:]...)
	return append(line, '\n'), nil
}
