package fakes_test

import (
	"context"
	"fmt"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

func Example() {
	p := fakes.NewProvider(fakes.Name("primary"), fakes.Tokens(3))
	defer p.Close()
	p.Inject(faults.On(faults.RateLimit{}).First(2))

	client := openai.NewClient(option.WithBaseURL(p.OpenAI()), option.WithAPIKey("any"), option.WithMaxRetryDelay(time.Millisecond))
	answer, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model:    "gpt-4o",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hi")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Choices[0].Message.Content)
	for _, c := range p.Calls() {
		fmt.Printf("call %d: %d %s\n", c.ID, c.Status, c.Fault)
	}
	// Output:
	// primary-1 primary-2 primary-3
	// call 1: 429 rate_limit
	// call 2: 429 rate_limit
	// call 3: 200
}
