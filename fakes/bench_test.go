package fakes_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/fakes"
	"github.com/brownout-chaos/brownout/faults"
)

// BenchmarkJSON compares the provider with a plain handler that decodes the
// same request and writes the same answer.
func BenchmarkJSON(b *testing.B) { compare(b, plainChat, "req/s", "") }

// BenchmarkStream compares flushed chunks with those of a plain handler.
func BenchmarkStream(b *testing.B) { compare(b, streamChat, "chunks/s", "\n\n") }

// compare runs one request against both, over one connection per processor.
// frames tells where the plain handler flushes; "": nowhere.
func compare(b *testing.B, body, unit, frames string) {
	p := fakes.NewProvider(fakes.Name("primary"), fakes.LedgerSize(1000))
	defer p.Close()
	plain := httptest.NewServer(plainHandler(b, p, body, frames))
	defer plain.Close()
	b.Run("provider", func(b *testing.B) { drive(b, p.Addr(), body, unit) })
	b.Run("plain", func(b *testing.B) { drive(b, plain.Listener.Addr().String(), body, unit) })
}

func drive(b *testing.B, addr, body, unit string) {
	request := []byte(postText(body, "Authorization: Bearer sk-0123456789abcdef", "X-Request-Id: r-000001"))
	chunks := make(chan int, runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		c, n := dial(b, addr), 0
		for pb.Next() {
			if _, err := c.Write(request); err != nil {
				b.Error(err)
				break
			}
			got, err := c.skip()
			if err != nil {
				b.Error(err)
				break
			}
			n += got
		}
		chunks <- n
	})
	total := 0
	for range runtime.GOMAXPROCS(0) {
		total += <-chunks
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds(), unit)
}

// plainHandler repeats what the provider answered once: headers, bytes and
// flushes.
func plainHandler(b *testing.B, p *fakes.Provider, body, frames string) http.Handler {
	c := dial(b, p.Addr())
	c.post(b, body)
	known := c.answer(b)
	pieces := [][]byte{known.body}
	if frames != "" {
		pieces = bytes.SplitAfter(bytes.TrimSuffix(known.body, []byte(frames)), []byte(frames))
	}
	known.header.Del("Date")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model    string
			Stream   bool
			Messages []struct{ Role, Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || len(q.Messages) == 0 {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		for name, values := range known.header {
			w.Header()[name] = values
		}
		flusher := w.(http.Flusher)
		if frames != "" {
			flusher.Flush()
		}
		for i, piece := range pieces {
			if _, err := w.Write(piece); err != nil {
				return
			}
			if i < len(pieces)-1 {
				flusher.Flush()
			}
		}
	})
}

// BenchmarkStalledStreams reports the resident memory per open stalled stream
// of HTTP/1.1, with 1,000 of them open; the clients are bare connections.
func BenchmarkStalledStreams(b *testing.B) {
	const streams = 1000
	p := fakes.NewProvider()
	defer p.Close()
	p.Inject(faults.On(faults.Stall{}))
	most := 0
	for range b.N {
		before, callers := residentKB(b), make([]net.Conn, streams)
		for i := range callers {
			c := dial(b, p.Addr())
			c.post(b, streamChat)
			untilChunk(b, c, "-3")
			callers[i] = c.Conn // its buffer is not to be counted
		}
		most = max(most, residentKB(b)-before)
		for _, c := range callers {
			c.Close()
		}
	}
	b.ReportMetric(float64(most)/streams, "KB/stream")
}

// untilChunk reads, a little at a time, until the text has come.
func untilChunk(b *testing.B, c io.Reader, text string) {
	part := make([]byte, 4096)
	seen := strings.Builder{}
	for !strings.Contains(seen.String(), text) {
		n, err := c.Read(part)
		if err != nil {
			b.Fatal(err)
		}
		seen.Write(part[:n])
	}
}

func residentKB(b *testing.B) int {
	debug.FreeOSMemory()
	f, err := os.Open("/proc/self/status")
	if err != nil {
		b.Skip("no /proc here: ", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(value, " kB")))
			if err != nil {
				b.Fatal(err)
			}
			return kb
		}
	}
	b.Fatal("no VmRSS in /proc/self/status")
	return 0
}
