package refservice

import "sync"

const (
	budgetRatio = 0.2 // retries per first attempt in the long run
	budgetBurst = 20  // retries that may come before that
)

// budget is a token bucket that first attempts fill and retries drain: when
// most calls fail, retries fade instead of doubling the load.
type budget struct {
	mu     sync.Mutex
	tokens float64
}

func newBudget() *budget { return &budget{tokens: budgetBurst} }

func (b *budget) first() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(b.tokens+budgetRatio, budgetBurst)
}

// retry takes a token, or says that there is none.
func (b *budget) retry() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
