package hypotheses

import "github.com/brownout-chaos/brownout/internal/strict"

// Encode writes the experiment as a file with its service inline. Reading it
// back gives an equal experiment. ${env.NAME} stays as it is.
func Encode(e Experiment) ([]byte, error) {
	e.Version = 1
	e.Service.Version = 1
	return strict.Encode(e)
}
