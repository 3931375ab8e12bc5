package hypotheses

import (
	"io"
	"os"
	"path/filepath"
	"reflect"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/strict"
)

// ParseExperiment reads an experiment file. A service that it names by path is
// read from there; override, if not nil, takes the place of the experiment's
// service. The first mistake is the error, with file, line, column and a
// hint.
func ParseExperiment(path string, override *Service) (Experiment, error) {
	data, err := readFile(path)
	if err != nil {
		return Experiment{}, err
	}
	return ParseExperimentBytes(path, data, filepath.Dir(path), override)
}

// ParseExperimentBytes is [ParseExperiment] for a file that was read already.
// The name is for errors; paths in the file count from dir.
func ParseExperimentBytes(name string, data []byte, dir string, override *Service) (Experiment, error) {
	var e Experiment
	options := decodeOptions(dir)
	if override != nil {
		options.Text[reflect.TypeFor[Service]()] = func(string) (any, error) { return *override, nil }
	}
	places, err := strict.Decode(name, data, &e, options)
	if err != nil {
		return Experiment{}, err
	}
	if override != nil {
		e.Service = *override
	}
	if e.Version != 1 {
		return Experiment{}, places.Error("version", "write version: 1", versionText(e.Version))
	}
	e.Service = e.Service.from(dir)
	return e, placed(places, e.Check())
}

// ParseService reads a service file.
func ParseService(path string) (Service, error) {
	data, err := readFile(path)
	if err != nil {
		return Service{}, err
	}
	return parseServiceBytes(path, data, filepath.Dir(path))
}

func parseServiceBytes(name string, data []byte, dir string) (Service, error) {
	var s Service
	places, err := strict.Decode(name, data, &s, decodeOptions(dir))
	if err != nil {
		return Service{}, err
	}
	if s.Version != 1 {
		return Service{}, places.Error("version", "write version: 1", versionText(s.Version))
	}
	s = s.from(dir)
	return s, placed(places, s.Check())
}

// ParseFile reads an experiment file or a service file, told apart by the key
// experiment.
func ParseFile(path string) (e Experiment, service bool, err error) {
	data, err := readFile(path)
	if err != nil {
		return e, false, err
	}
	var keys map[string]any
	if _, err := strict.Decode(path, data, &keys, strict.Options{}); err != nil {
		return e, false, err
	}
	if _, ok := keys["experiment"]; ok {
		e, err = ParseExperimentBytes(path, data, filepath.Dir(path), nil)
		return e, false, err
	}
	e.Service, err = parseServiceBytes(path, data, filepath.Dir(path))
	return e, true, err
}

// readFile reads a file, or one byte more than the most that a file may have:
// what is longer is refused when it is decoded, and a device never ends.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, strict.MaxBytes+1))
}

// decodeOptions are the catalogues of files, and how a service is read from a
// path.
func decodeOptions(dir string) strict.Options {
	return strict.Options{
		OneOf: map[string][]strict.Kinder{
			"fault":      strict.Catalogue(faults.Catalogue()),
			"toxic":      strict.Catalogue(faults.Toxics()),
			"hypothesis": strict.Catalogue(Catalogue()),
		},
		Text: map[reflect.Type]func(string) (any, error){
			reflect.TypeFor[Service](): func(path string) (any, error) {
				if !filepath.IsAbs(path) {
					path = filepath.Join(dir, path)
				}
				return ParseService(path)
			},
		},
	}
}

func versionText(version int) string {
	if version == 0 {
		return "the version is missing"
	}
	return "this brownout reads version 1 only"
}

// from makes the folder of a command absolute, counted from dir, so that the
// service can be started from anywhere.
func (s Service) from(dir string) Service {
	if s.Subject.Command == nil {
		return s
	}
	command := *s.Subject.Command
	if !filepath.IsAbs(command.Dir) {
		command.Dir = filepath.Join(dir, command.Dir)
	}
	if absolute, err := filepath.Abs(command.Dir); err == nil {
		command.Dir = absolute
	}
	s.Subject.Command = &command
	return s
}
