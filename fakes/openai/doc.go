// Package openai speaks OpenAI's wire format: chat completions as JSON and as
// a stream, and models.
//
// The answer to a chat is numbered words that begin with the provider's name
// ("primary-1 primary-2 ..."), one token each, so that lost or repeated text
// and the provider that answered show. Where the call forces a tool or asks
// for a JSON schema, it is the smallest valid instance instead, cut into
// tokens of a few bytes. Prompt tokens are the words of the messages. Any
// model name is served.
//
// max_tokens, max_completion_tokens, n, stream_options.include_usage, tools,
// tool_choice and response_format are obeyed; stop, logprobs, temperature and
// the rest are accepted and change nothing.
package openai
