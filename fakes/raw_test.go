package fakes_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

const (
	plainChat  = `{"model":"gpt-4o","messages":[{"role":"system","content":"You are a helpful assistant."},{"role":"user","content":"How do I reset my password?"}]}`
	streamChat = `{"model":"gpt-4o","messages":[{"role":"system","content":"You are a helpful assistant."},{"role":"user","content":"How do I reset my password?"}],"stream":true}`
)

// raw is a client on a bare connection: it sees how an answer ends, and costs
// next to nothing in a benchmark.
type raw struct {
	net.Conn
	in *bufio.Reader
}

func dial(t testing.TB, addr string) *raw {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &raw{Conn: c, in: bufio.NewReader(c)}
}

// post sends a chat call with further header lines.
func (c *raw) post(t testing.TB, body string, lines ...string) {
	t.Helper()
	if _, err := io.WriteString(c, postText(body, lines...)); err != nil {
		t.Fatal(err)
	}
}

func postText(body string, lines ...string) string {
	head := "POST /v1/chat/completions HTTP/1.1\r\nHost: fake\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
	for _, line := range lines {
		head += line + "\r\n"
	}
	return head + "\r\n" + body
}

// skip reads one whole answer and tells the number of its chunks.
func (c *raw) skip() (chunks int, err error) {
	length, chunked := 0, false
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) == 2 {
			break
		}
		if value, ok := strings.CutPrefix(string(line), "Content-Length: "); ok {
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		}
		chunked = chunked || strings.HasPrefix(string(line), "Transfer-Encoding: chunked")
	}
	if !chunked {
		_, err := c.in.Discard(length)
		return 1, err
	}
	for {
		size, err := c.in.ReadSlice('\n')
		if err != nil {
			return chunks, err
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(size)), 16, 32)
		if err != nil {
			return chunks, fmt.Errorf("size of a chunk: %w", err)
		}
		if _, err := c.in.Discard(int(n) + 2); err != nil || n == 0 {
			return chunks, err
		}
		chunks++
	}
}

// reply is an answer as far as it came.
type reply struct {
	status int
	header http.Header
	body   []byte
	err    error // how the body ended; nil: clean
}

// answer reads one answer with net/http's reader.
func (c *raw) answer(t testing.TB) reply {
	t.Helper()
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return reply{status: resp.StatusCode, header: resp.Header, body: body, err: err}
}
