package toxi_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/brownout-chaos/brownout/internal/toxi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// provider answers every path with its name; /stream writes a word every 5 ms
// until the caller leaves.
func provider(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/stream" {
			io.WriteString(w, strings.Repeat(r.URL.Path, 100))
			return
		}
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			io.WriteString(w, "word ")
			w.(http.Flusher).Flush()
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// open starts an edge to upstream that is closed before the upstream is.
func open(t *testing.T, upstream string) *toxi.Edge {
	t.Helper()
	edge, err := toxi.Open(toxi.Config{
		Name: "primary", Upstream: strings.TrimPrefix(upstream, "http://"), Seed: 42,
		Note: func(text string) { t.Errorf("infrastructure: %s", text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := edge.Close(); err != nil {
			t.Error(err)
		}
	})
	return edge
}

func apply(t *testing.T, edge *toxi.Edge, active ...toxi.Active) {
	t.Helper()
	if err := edge.Apply(active); err != nil {
		t.Fatal(err)
	}
}

// client keeps connections, like the clients of a service do.
func client(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 50}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

// get returns how long a whole answer took.
func get(c *http.Client, edge *toxi.Edge, path string) (time.Duration, error) {
	start := time.Now()
	response, err := c.Get("http://" + edge.Addr() + path)
	if err != nil {
		return time.Since(start), err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return time.Since(start), err
}

func mustGet(t *testing.T, c *http.Client, edge *toxi.Edge, path string) time.Duration {
	t.Helper()
	took, err := get(c, edge, path)
	if err != nil {
		t.Fatal(err)
	}
	return took
}

// await polls until the condition is true; it fails after 5 s.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(5 * time.Second); !condition(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("waited 5s for %s", what)
		}
	}
}

func dial(t *testing.T, edge *toxi.Edge) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", edge.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	return conn
}

func request(t *testing.T, conn net.Conn) {
	t.Helper()
	if _, err := io.WriteString(conn, "GET /a HTTP/1.1\r\nHost: edge\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
}

// exchange sends a request and reads its whole answer.
func exchange(t *testing.T, conn net.Conn) {
	t.Helper()
	request(t, conn)
	buffer, got := make([]byte, 4096), ""
	for !strings.HasSuffix(got, strings.Repeat("/a", 100)) {
		n, err := conn.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		got += string(buffer[:n])
	}
}
