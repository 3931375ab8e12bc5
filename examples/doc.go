// Package examples holds service and experiment files that run as they stand:
//
//	brownout run examples/outage/experiment.yaml
//
// Each folder is one question. Their services start brownout's own sample
// services; replace service.yaml by your own and keep the experiment.
package examples
