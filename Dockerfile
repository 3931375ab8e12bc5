# The static binary and nothing else:
#   CGO_ENABLED=0 go build -o dist/brownout ./cmd/brownout && docker build -t brownout .
FROM scratch
COPY dist/brownout /brownout
ENTRYPOINT ["/brownout"]
