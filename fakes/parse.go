package fakes

import (
	"fmt"

	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/internal/strict"
)

// ParseRules reads a YAML list of faults as experiments have them, for one
// provider that runs alone. name is the file's, for errors, which tell the
// line. All rules are fit for [Provider.Inject].
//
// What needs an experiment is an error: to, phase, at, for, and faults of the
// network. A rule without a name is named by its fault and its place in the
// list.
func ParseRules(name string, data []byte) ([]faults.Rule, error) {
	list := []faults.Rule{}
	places, err := strict.Decode(name, data, &list, strict.Options{OneOf: map[string][]strict.Kinder{
		"fault": strict.Catalogue(faults.Catalogue()),
		"toxic": strict.Catalogue(faults.Toxics()),
	}})
	if err != nil {
		return nil, err
	}
	taken := map[string]int{}
	for i := range list {
		r, path := &list[i], fmt.Sprintf("[%d]", i)
		if _, err := newRule(*r); err != nil {
			return nil, places.Error(path, "", err.Error())
		}
		if r.To != "" || r.Window != (faults.Window{}) {
			return nil, places.Error(path, "remove to, phase, at and for",
				"where and when belong to an experiment: the faults of this list are always active, on this provider")
		}
		if r.Name == "" {
			r.Name = fmt.Sprintf("%s %d", r.Fault.Kind(), i+1)
		}
		if first, ok := taken[r.Name]; ok {
			return nil, places.Error(path+".name", "", fmt.Sprintf("the name %q is already that of fault %d of the list", r.Name, first+1))
		}
		taken[r.Name] = i
	}
	return list, nil
}
