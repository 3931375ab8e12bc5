package load_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
)

func TestRequestsCarryTheirIdentity(t *testing.T) {
	var got []*http.Request
	var bodies []string
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got, bodies = append(got, r), append(bodies, string(body))
	}, serial(2)).endpoint(hypotheses.Endpoint{
		Request: "POST /ask/${request_id}?n=${seq}",
		Headers: map[string]string{"Content-Type": "application/json", "Authorization": "Bearer ${env.TOKEN}", "X-Mark": "${marker}", "Host": "answers.example"},
		Body:    `{"question": "${marker} ${env.TOKEN} ${request_id} ${seq}"}`,
	})
	d.Service.Attribution.Header = "X-Correlation-Id"
	d.Lookup = func(name string) (string, bool) { return "s3cret-token", name == "env.TOKEN" }
	for i, r := range d.run(t) {
		marker := hypotheses.Marker(d.Seed, i+1)
		for what, pair := range map[string][2]string{
			"path":        {got[i].URL.String(), fmt.Sprintf("/ask/%s?n=%d", r.ID, i+1)},
			"body":        {bodies[i], fmt.Sprintf(`{"question": "%s s3cret-token %s %d"}`, marker, r.ID, i+1)},
			"token":       {got[i].Header.Get("Authorization"), "Bearer s3cret-token"},
			"marker":      {got[i].Header.Get("X-Mark"), marker},
			"attribution": {got[i].Header.Get("X-Correlation-Id"), r.ID},
			"traceparent": {got[i].Header.Get("Traceparent"), fmt.Sprintf("00-%s-%016x-01", hypotheses.TraceID(d.Seed, i+1), i+1)},
			"host":        {got[i].Host, "answers.example"},
			"encoding":    {got[i].Header.Get("Accept-Encoding"), ""},
			"redundant":   {got[i].Header.Get("X-Request-Id"), ""},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s is %q, want %q", r.ID, what, pair[0], pair[1])
			}
		}
	}
}

// net/http sends a GET, and anything with an idempotency key, again when its
// kept connection breaks before the answer. One user's request must stay one.
func TestNothingIsSentTwice(t *testing.T) {
	for _, c := range []struct {
		name     string
		endpoint hypotheses.Endpoint
	}{
		{"get", hypotheses.Endpoint{Request: "GET /ask"}},
		{"get with body", hypotheses.Endpoint{Request: "GET /ask", Body: "x"}},
		{"post", hypotheses.Endpoint{Body: "x"}},
		{"post without body", hypotheses.Endpoint{}},
		{"idempotency key", hypotheses.Endpoint{Body: "x", Headers: map[string]string{"Idempotency-Key": "${seq}"}}},
		{"idempotency key without body", hypotheses.Endpoint{Headers: map[string]string{"X-Idempotency-Key": "${seq}"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			times := map[string]int{}
			d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				id := r.Header.Get("X-Request-Id")
				times[id]++
				if id != "r-000001" {
					panic(http.ErrAbortHandler)
				}
			}, serial(2)).endpoint(c.endpoint)
			requests := d.run(t)
			mu.Lock()
			defer mu.Unlock()
			if r := requests[1]; r.Outcome != hypotheses.Failed || r.Error != hypotheses.ErrReset || times["r-000002"] != 1 {
				t.Errorf("sent %d times, got %q %q (%s)", times["r-000002"], r.Outcome, r.Error, r.Detail)
			}
		})
	}
}

func TestAKeptConnectionIsUsedAgain(t *testing.T) {
	for _, stream := range []string{"", "openai"} {
		var connections atomic.Int64
		service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "data: {}\n\ndata: [DONE]\n\n")
			w.(http.Flusher).Flush()
		}))
		service.Config.ConnState = func(c net.Conn, s http.ConnState) {
			if s == http.StateNew {
				connections.Add(1)
			}
		}
		service.Start()
		t.Cleanup(service.Close)
		d := newDrive(t, ok, serial(10)).endpoint(hypotheses.Endpoint{Stream: hypotheses.Stream{Preset: stream}})
		d.Base = service.URL
		if n := count(d.run(t), ended(hypotheses.OK)); n != 10 || connections.Load() != 1 {
			t.Errorf("stream %q: %d answers over %d connections, want 10 over 1", stream, n, connections.Load())
		}
	}
}

// raw serves bytes as they are, then does what end says with the connection.
func raw(t *testing.T, answer string, end func(*net.TCPConn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
					return
				}
				io.WriteString(conn, answer)
				end(conn.(*net.TCPConn))
			})
		}
	})
	t.Cleanup(func() { listener.Close(); work.Wait() })
	return "http://" + listener.Addr().String()
}

func fin(c *net.TCPConn) { c.Close() }

func rst(c *net.TCPConn) { c.SetLinger(0); c.Close() }

func stall(c *net.TCPConn) { io.Copy(io.Discard, c) }

func TestBrokenAnswers(t *testing.T) {
	const (
		plain   = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
		chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
		event   = "10\r\ndata: {\"a\": 1}\n\n\r\n"
		done    = "e\r\ndata: [DONE]\n\n\r\n"
	)
	for _, c := range []struct {
		name   string
		stream string
		answer string
		end    func(*net.TCPConn)
		want   hypotheses.RequestError // "": ok
		silent bool
	}{
		{"closed before the answer", "", "", fin, hypotheses.ErrReset, false},
		{"reset before the answer", "", "", rst, hypotheses.ErrReset, false},
		{"no http", "", "SSH-2.0-OpenSSH\r\n\r\n", fin, hypotheses.ErrMalformed, false},
		{"bad header", "", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", fin, hypotheses.ErrMalformed, false},
		{"bad chunk", "", chunked + "zz\r\n", fin, hypotheses.ErrMalformed, false},
		{"body cut by fin", "", plain + "12345", fin, hypotheses.ErrReset, false},
		{"body cut by rst", "", plain + "12345", rst, hypotheses.ErrReset, false},
		{"body stalls", "", plain + "12345", stall, hypotheses.ErrTimeout, false},
		{"headers only", "", "HTTP/1.1 200 OK\r\n", stall, hypotheses.ErrTimeout, false},
		{"stream cut by fin", "openai", chunked + event, fin, hypotheses.ErrReset, false},
		{"stream cut by rst", "openai", chunked + event, rst, hypotheses.ErrReset, false},
		{"stream stalls", "openai", chunked + event, stall, hypotheses.ErrTimeout, true},
		{"stream stalls before its first event", "openai", chunked, stall, hypotheses.ErrTimeout, true},
		{"stream ends cleanly without its end", "openai", chunked + event + "0\r\n\r\n", fin, hypotheses.ErrTruncated, false},
		{"stream without a known end ends cleanly", "sse", chunked + event + "0\r\n\r\n", fin, "", false},
		{"stream without length ends with the connection", "sse", "HTTP/1.1 200 OK\r\n\r\ndata: a\n\n", fin, "", false},
		{"connection stays open after the end", "openai", chunked + event + done, stall, "", false},
		{"reset after the end", "openai", chunked + event + done, rst, "", false},
		{"error instead of a stream", "openai", "HTTP/1.1 503 Oops\r\nContent-Length: 2\r\n\r\nno", fin, hypotheses.ErrStatus, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			patience := time.Hour // nothing but a timeout may wait for it
			if c.want == hypotheses.ErrTimeout {
				patience = 50 * ms
			}
			d := newDrive(t, ok, serial(1)).endpoint(hypotheses.Endpoint{Timeout: &patience, Stream: hypotheses.Stream{Preset: c.stream}})
			d.Base = raw(t, c.answer, c.end)
			r := d.run(t)[0]
			if r.Error != c.want || (r.Outcome == hypotheses.OK) != (c.want == "") || r.Silent != c.silent {
				t.Errorf("got %q %q (%s) silent %v, want %q silent %v", r.Outcome, r.Error, r.Detail, r.Silent, c.want, c.silent)
			}
			if r.End <= r.Sent || c.want != "" && r.Detail == "" || strings.Contains(r.Detail, "\n") {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func TestNoConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	d := newDrive(t, ok, serial(2))
	d.Base = "http://ann:pass@" + address
	for _, r := range d.run(t) {
		if r.Outcome != hypotheses.Failed || r.Error != hypotheses.ErrRefused || !strings.Contains(r.Detail, "refused") || strings.Contains(r.Detail, "pass") {
			t.Errorf("got %+v", r)
		}
	}
}

// What a service says back in an error may hold what we sent.
func TestDetailsHoldNoCredentials(t *testing.T) {
	d := newDrive(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "event: error\ndata: key %s of sk-proj-0123456789 at https://ann:pw@example.org/ is\ndata: wrong\n\n", r.Header.Get("X-Key"))
	}, serial(1)).endpoint(hypotheses.Endpoint{Headers: map[string]string{"X-Key": "${env.KEY}"}, Stream: hypotheses.Stream{Preset: "sse"}})
	d.Lookup = func(string) (string, bool) { return "0123-4567-89ab", true }
	want := "key ${env.KEY} of sk-*** at https://***@example.org/ is wrong"
	if r := d.run(t)[0]; r.Error != hypotheses.ErrEvent || r.Detail != want {
		t.Errorf("got %q %q, want %q", r.Error, r.Detail, want)
	}
}

func TestDriveLeavesNoConnection(t *testing.T) {
	var mu sync.Mutex
	open := map[net.Conn]bool{}
	closed := make(chan struct{}, 100)
	service := httptest.NewUnstartedServer(http.HandlerFunc(ok))
	service.Config.ConnState = func(c net.Conn, s http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		switch s {
		case http.StateNew:
			open[c] = true
		case http.StateClosed:
			delete(open, c)
			closed <- struct{}{}
		}
	}
	service.Start()
	t.Cleanup(service.Close)
	d := newDrive(t, ok, timed("fault", 0, hypotheses.Shape{Burst: 20}))
	d.Base = service.URL
	d.run(t)
	deadline := time.After(2 * time.Second) // sooner than unused connections are closed anyway
	for {
		mu.Lock()
		left := len(open)
		mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-closed:
		case <-deadline:
			t.Fatalf("%d connections are still open", left)
		}
	}
}
