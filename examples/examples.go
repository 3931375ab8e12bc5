// Package examples holds service and experiment files that run as they stand:
//
//	brownout run examples/outage/experiment.yaml
//
// Each folder is one question. Their services start brownout's own sample
// services; replace service.yaml by your own and keep the experiment.
package examples

import "embed"

// FS holds the files of this folder, for `brownout demo`.
//
//go:embed */*.yaml
var FS embed.FS
