package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// NoteKind is the kind of the notes that reading a journal adds to it.
const NoteKind = "journal"

// Read reads the journal of the result directory dir. Records come in an order
// that does not depend on which was written first: phases, windows and notes
// by time, requests by number, leaf calls by provider and number.
//
// What a crash or a newer version leaves is read around, and a note of the
// kind [NoteKind] says so: a torn last line, records of an unknown type, a
// missing health record. A journal without an end is that of a run that was
// killed; its End.AbortedBy says so. Anything else that is no journal is an
// error with file and line.
func Read(dir string) (hypotheses.Journal, error) {
	path := filepath.Join(dir, File)
	file, err := os.Open(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return hypotheses.Journal{}, fmt.Errorf("%s: there is no journal: name the result directory of a run", path)
		}
		return hypotheses.Journal{}, err
	}
	defer file.Close()
	return read(file, path)
}

// read reads a journal. name stands for it in errors.
func read(from io.Reader, name string) (hypotheses.Journal, error) {
	r := reader{name: name, unknown: map[string]skipped{}}
	lines := bufio.NewReaderSize(from, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return hypotheses.Journal{}, fmt.Errorf("%s:%d: %w", name, r.number+1, err)
		}
		last := err == io.EOF
		if len(line) > 0 {
			r.number++
			if err := r.line(line, last); err != nil {
				return hypotheses.Journal{}, err
			}
		}
		if last {
			return r.finish()
		}
	}
}

// A reader puts the records of a journal together.
type reader struct {
	name    string
	number  int // of the line, from 1
	journal hypotheses.Journal
	health  bool
	end     bool
	torn    int                // number of the torn last line; 0: none
	unknown map[string]skipped // by type
	types   []string           // the keys of unknown, as they came
}

// skipped counts records of a type that this version does not know.
type skipped struct{ count, first int }

func (r *reader) where() string { return fmt.Sprintf("%s:%d", r.name, r.number) }

// line reads a record. A last line that has no newline was being written when
// the process was killed: what is no JSON there is torn.
func (r *reader) line(line []byte, last bool) error {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &head); err != nil || head.Type == "" {
		if last && r.number > 1 {
			r.torn = r.number
			return nil
		}
		return fmt.Errorf("%s: %.60q is no record: want a JSON object with a type, such as {\"type\":\"request\",...}", r.where(), bytes.TrimSpace(line))
	}
	if (r.number == 1) != (head.Type == "run") {
		return fmt.Errorf("%s: record of type %q: the first line, and only it, is the run", r.where(), head.Type)
	}
	if err := r.record(head.Type, line); err != nil {
		return fmt.Errorf("%s: %s: %w", r.where(), head.Type, err)
	}
	return nil
}

func (r *reader) record(kind string, line []byte) error {
	j := &r.journal
	switch kind {
	case "phase":
		return add(&j.Phases, line)
	case "window":
		return add(&j.Windows, line)
	case "request":
		return add(&j.Requests, line)
	case "call":
		return add(&j.Calls, line)
	case "note":
		return add(&j.Notes, line)
	case "health":
		r.health = true
		return json.Unmarshal(line, &j.Health)
	case "end":
		r.end = true
		return json.Unmarshal(line, &j.End)
	case "run":
		run, err := decodeRun(line)
		j.Run = run
		return err
	}
	s, known := r.unknown[kind]
	if !known {
		s.first = r.number
		r.types = append(r.types, kind)
	}
	s.count++
	r.unknown[kind] = s
	return nil
}

func add[T any](list *[]T, line []byte) error {
	var record T
	if err := json.Unmarshal(line, &record); err != nil {
		return err
	}
	*list = append(*list, record)
	return nil
}

// finish puts the records in order and adds the notes.
func (r *reader) finish() (hypotheses.Journal, error) {
	if r.number == 0 {
		return hypotheses.Journal{}, fmt.Errorf("%s: the journal is empty: the run ended before it began", r.name)
	}
	j := &r.journal
	order(j)
	fold(j)
	if !r.end {
		j.End = killed(*j)
		shut(j)
	}
	if !r.health {
		j.Health = derived(*j)
		r.note("there is no health record: lateness is derived from requests and leaf calls, the noise of the machine is not known")
	}
	if r.torn > 0 {
		r.note(fmt.Sprintf("line %d is torn: the run was killed while it wrote it", r.torn))
	}
	for _, kind := range r.types {
		s := r.unknown[kind]
		r.note(fmt.Sprintf("%d records of the unknown type %q were skipped, the first in line %d: a newer version wrote them", s.count, kind, s.first))
	}
	return *j, nil
}

func (r *reader) note(text string) {
	r.journal.Notes = append(r.journal.Notes, hypotheses.Note{At: r.journal.End.At, Kind: NoteKind, Text: text})
}
