package target

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// sdkKey is what the official SDKs need to start at all. The fakes take any
// key.
const sdkKey = "sk-brownout-not-a-real-key"

// variables are the values of ${...} in a command.
type variables struct {
	port     string
	lookup   func(string) (string, bool)
	portUsed bool // ${port} was asked for
}

func (v *variables) value(name string) (string, bool) {
	if name == "port" {
		v.portUsed = true
		return v.port, true
	}
	if v.lookup == nil {
		return "", false
	}
	return v.lookup(name)
}

// environment is brownout's environment without the variables that set
// brownout's own flags, and the service's on top of it.
func environment(inherited []string, service hypotheses.Service, v *variables) ([]string, error) {
	vars := service.Subject.Env.Vars
	if service.Subject.Env.SDK {
		provider, err := service.PrimaryProvider()
		if err != nil {
			return nil, fmt.Errorf("service.env: sdk: %w", err)
		}
		vars = map[string]string{
			"OPENAI_BASE_URL": "${providers." + provider + ".openai}",
			"OPENAI_API_KEY":  sdkKey,
		}
	}
	env := slices.DeleteFunc(inherited, func(variable string) bool {
		return strings.HasPrefix(variable, "BROWNOUT_")
	})
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		value, err := hypotheses.Expand(vars[name], v.value)
		if err != nil {
			return nil, fmt.Errorf("service.env.%s: %w", name, err)
		}
		env = append(env, name+"="+value) // the last one of a name counts
	}
	return env, nil
}
