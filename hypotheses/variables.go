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
