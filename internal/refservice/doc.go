// Package refservice has the sample services: small, real HTTP services that
// answer questions through the official OpenAI SDK, one policy each. Tests, the
// demo and the documentation break them to show what a policy is worth.
//
// Every policy serves the same endpoints:
//
//	POST /ask         {"question": "..."} -> {"answer", "degraded", "provider"}
//	POST /ask/stream  the same as server-sent events: token, done, error, restart
//	GET  /search?q=   local documents, never a provider: the bystander
//	GET  /livez       200 while the process serves
//	GET  /readyz      200 while the process serves; local state only
//
// The question goes word for word into the user message, so that a marker in
// it reaches the provider.
package refservice
