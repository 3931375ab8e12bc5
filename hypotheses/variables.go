package hypotheses

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// LookupEnv answers ${env.NAME} through lookup, such as os.LookupEnv; other
// names are unknown to it.
func LookupEnv(variable string, lookup func(string) (string, bool)) (string, bool) {
	name, ok := strings.CutPrefix(variable, "env.")
	if !ok || lookup == nil {
		return "", false
	}
	return lookup(name)
}

// EnvVariables lists the NAMEs of every ${env.NAME} of the experiment, sorted.
// They stay unresolved in every file that is written.
func (e Experiment) EnvVariables() []string {
	names := []string{}
	for _, text := range e.Service.texts() {
		for _, variable := range Variables(text) {
			if name, ok := strings.CutPrefix(variable, "env."); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	sort.Strings(names)
	return names
}

// texts lists every text of the service in which ${...} is replaced.
func (s Service) texts() []string {
	list := []string{}
	if s.Subject.Command != nil {
		list = append(list, s.Subject.Command.Run...)
	}
	for _, value := range s.Subject.Env.Vars {
		list = append(list, value)
	}
	for _, e := range s.Endpoints {
		list = append(list, e.Request, e.Body)
		for _, value := range e.Headers {
			list = append(list, value)
		}
	}
	return list
}

// FixedAddress gives the value of ${providers.NAME.openai} and
// ${dependencies.NAME} where the file names the address to listen on.
func (s Service) FixedAddress(variable string) (string, bool) {
	if name, ok := strings.CutPrefix(variable, "dependencies."); ok {
		listen := s.Dependencies[name].Listen
		return listen, listen != ""
	}
	name, ok := strings.CutPrefix(strings.TrimSuffix(variable, ".openai"), "providers.")
	listen := s.Providers[name].Listen
	return "http://" + listen + "/v1", ok && listen != ""
}

// Warnings are what is no mistake by itself and probably not meant: addresses
// that a service which runs already cannot know.
func (s Service) Warnings() []string {
	list := []string{}
	if s.Subject.URL == "" {
		return list
	}
	for name, p := range s.Providers {
		if p.Listen == "" {
			list = append(list, fmt.Sprintf("provider %s listens on a free port, which a service that runs already cannot know: give it listen: 127.0.0.1:9901", name))
		}
	}
	for name, d := range s.Dependencies {
		if d.Listen == "" {
			list = append(list, fmt.Sprintf("dependency %s listens on a free port, which a service that runs already cannot know: give it listen: 127.0.0.1:9911", name))
		}
	}
	sort.Strings(list)
	return list
}

// PrimaryProvider is the provider whose answers are not fallbacks: the one
// named primary, or the only one.
func (s Service) PrimaryProvider() (string, error) {
	if _, ok := s.Providers["primary"]; ok {
		return "primary", nil
	}
	if len(s.Providers) == 1 {
		for name := range s.Providers {
			return name, nil
		}
	}
	return "", fmt.Errorf("the service has %d providers and none is named primary: name the one that is asked first primary", len(s.Providers))
}
