package journal

import (
	"encoding/json"
	"fmt"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// A runRecord is the first line: the run with its experiment as YAML.
type runRecord struct {
	Version int `json:"version"`
	hypotheses.Run
	Experiment string `json:"experiment"`
}

// encodeRun is the line of the run. Its experiment is what YAML gives back, so
// one that YAML cannot carry is found before anything runs, and relative paths
// are absolute from here on: it reads the same from wherever the result
// directory is.
func encodeRun(run hypotheses.Run) ([]byte, error) {
	text, err := hypotheses.Encode(run.Experiment)
	if err != nil {
		return nil, fmt.Errorf("experiment %q as YAML: %w", run.Experiment.Title, err)
	}
	read, err := hypotheses.ParseExperimentBytes("experiment as recorded", text, "", nil)
	if err != nil {
		return nil, err
	}
	if text, err = hypotheses.Encode(read); err != nil {
		return nil, fmt.Errorf("experiment %q as YAML: %w", run.Experiment.Title, err)
	}
	line, err := encode("run", runRecord{Version: version, Run: run, Experiment: string(text)})
	if err != nil {
		return nil, fmt.Errorf("write journal: %w", err)
	}
	return line, nil
}

func decodeRun(line []byte) (hypotheses.Run, error) {
	var r runRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return hypotheses.Run{}, err
	}
	if r.Version != version {
		return hypotheses.Run{}, fmt.Errorf("journal of version %d, want %d: read it with the tool that wrote it, %q", r.Version, version, r.Tool)
	}
	experiment, err := hypotheses.ParseExperimentBytes("experiment", []byte(r.Experiment), "", nil)
	r.Run.Experiment = experiment
	return r.Run, err
}
