package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// A file is a result in a result directory.
type file struct {
	name, ext string
	write     func(io.Writer, hypotheses.Verdict, hypotheses.Journal) error
	data      bool // what the others are renderings of
}

func files() []file {
	return []file{
		{"result", ".json", writeJSON, true},
		{"experiment", ".yaml", writeExperiment, true},
		{"junit", ".xml", writeJUnit, false},
		{"report", ".md", writeMarkdown, false},
	}
}

func writeExperiment(w io.Writer, _ hypotheses.Verdict, j hypotheses.Journal) error {
	yaml, err := hypotheses.Encode(j.Run.Experiment)
	if err != nil {
		return fmt.Errorf("experiment %q as YAML: %w", j.Run.Experiment.Title, err)
	}
	_, err = w.Write(yaml)
	return err
}

// WriteAll writes result.json, junit.xml, report.md and experiment.yaml into
// the result directory, with suffix behind each name ("-2": result-2.json).
// Files appear whole or not at all, and none is written over: another result
// or experiment that is there already is an error, and then nothing is
// written; of the same one, what is missing is written.
func WriteAll(dir, suffix string, v hypotheses.Verdict, j hypotheses.Journal) error {
	rendered, err := render(v, j)
	if err != nil {
		return err
	}
	clash, err := clashes(dir, suffix, rendered)
	switch {
	case err != nil:
		return err
	case clash != "":
		return fmt.Errorf("%s: it holds another result, and none is written over: name another directory", clash)
	}
	return writeFiles(dir, suffix, rendered)
}

// WriteBeside writes like [WriteAll], and where other results are in the way,
// beside them: result-2.json, result-3.json and so on. The same verdict on the
// same experiment is not written twice.
func WriteBeside(dir string, v hypotheses.Verdict, j hypotheses.Journal) error {
	rendered, err := render(v, j)
	if err != nil {
		return err
	}
	suffix := ""
	for n := 2; ; n++ {
		clash, err := clashes(dir, suffix, rendered)
		switch {
		case err != nil:
			return err
		case clash == "":
			return writeFiles(dir, suffix, rendered)
		}
		suffix = "-" + strconv.Itoa(n)
	}
}

// render is the content of every file, in the order of [files].
func render(v hypotheses.Verdict, j hypotheses.Journal) ([][]byte, error) {
	rendered := [][]byte{}
	for _, f := range files() {
		var b bytes.Buffer
		if err := f.write(&b, v, j); err != nil {
			return nil, err
		}
		rendered = append(rendered, b.Bytes())
	}
	return rendered, nil
}

func (f file) path(dir, suffix string) string { return filepath.Join(dir, f.name+suffix+f.ext) }

// clashes is the first file that is there with another result or experiment.
// Other renderings of the same ones, such as those of an older version, clash
// with nothing.
func clashes(dir, suffix string, rendered [][]byte) (string, error) {
	for i, f := range files() {
		if !f.data {
			continue
		}
		path := f.path(dir, suffix)
		old, err := os.ReadFile(path)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return "", err
		case !bytes.Equal(old, rendered[i]):
			return path, nil
		}
	}
	return "", nil
}

// writeFiles writes the files that are missing.
func writeFiles(dir, suffix string, rendered [][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("result directory: %w", err)
	}
	for i, f := range files() {
		path := f.path(dir, suffix)
		_, err := os.Lstat(path)
		if errors.Is(err, os.ErrNotExist) {
			err = writeFile(path, rendered[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeFile makes a file appear whole: it is renamed once it is complete.
func writeFile(path string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	_, err = temp.Write(content)
	err = errors.Join(err, temp.Chmod(0o644), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(temp.Name()))
	}
	return nil
}
