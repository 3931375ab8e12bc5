# brownout. `make` alone lists the targets.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
GO ?= go
FUZZTIME ?= 30s

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

.PHONY: demo
demo: bin/brownout ## the main job: naive service refuted, resilient service held, in under a minute
	@bin/brownout demo

.PHONY: test
test: ## all tests that need no Docker
	$(GO) vet ./...
	$(GO) test -count=1 $$($(GO) list ./... | grep -vE '/(cmd/brownout|suites)$$')
	$(GO) test -count=1 -p 1 -timeout 15m ./cmd/brownout ./suites # these measure: one at a time

.PHONY: race
race: ## the tests under the race detector, without the suites' long runs
	$(GO) test -race -count=1 -short -timeout 15m ./...

.PHONY: suites
suites: ## the Ginkgo suite; SERVICE=file or URL for your own service
	$(GO) test ./suites -count=1 -timeout 30m -v $(if $(SERVICE),-run TestSuites -args --service $(SERVICE))

.PHONY: e2e
e2e: ## provider and sample service as containers; needs a Docker daemon
	./.ci/containers

.PHONY: lint
lint: ## gofmt, go vet and golangci-lint (built on first use)
	@test -z "$$(gofmt -l . | tee /dev/stderr)"
	$(GO) vet ./...
	$(GO) tool -modfile=tools/golangci/go.mod golangci-lint run

.PHONY: fmt
fmt: ## gofmt everything
	gofmt -w .

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME
	@grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do \
	  for target in $$(grep -oE '^func Fuzz[A-Za-z0-9]+' "$$file" | sed 's/func //'); do \
	    $(GO) test "./$$(dirname "$$file")" -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x; \
	  done; \
	done

.PHONY: bench
bench: ## provider against a plain net/http handler, memory per stream, honesty of the generator
	@$(GO) test -run '^$$' -bench . -benchtime 3s ./fakes ./internal/load | awk '{ print } \
	  /^Benchmark.*\/provider/ { split($$1, name, "/"); provider[name[1]] = $$3 } \
	  /^Benchmark.*\/plain/ { split($$1, name, "/"); plain[name[1]] = $$3 } \
	  END { for (n in plain) printf "%s: the provider does %.2f of what a plain handler does\n", n, plain[n] / provider[n] }'

.PHONY: golden
golden: ## rewrite the golden files; look at the diff
	$(GO) test ./internal/report -update
	UPDATE=1 $(GO) test ./cmd/brownout -run TestScripts

.PHONY: clean
clean: ## remove what was built and recorded
	rm -rf bin dist brownout-results

.PHONY: build
build: bin/brownout ## build bin/brownout

.PHONY: bin/brownout
bin/brownout:
	@$(GO) build -trimpath -ldflags="-s -w" -o bin/brownout ./cmd/brownout
