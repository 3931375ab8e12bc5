package load

import (
	"bytes"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/packages/ssestream"
	gosse "github.com/tmaxmax/go-sse"
)

// decode feeds the stream in reads of n bytes.
func decode(d decoder, stream string, n int) (events []string, end ending, err error) {
	emit := func(ev event) bool {
		events = append(events, fmt.Sprintf("%s|%s", ev.name, ev.data))
		return true
	}
	for rest := []byte(stream); len(rest) > 0; {
		size := min(n, len(rest))
		if err := d.feed(bytes.Clone(rest[:size]), emit); err != nil {
			return events, 0, err
		}
		rest = rest[size:]
	}
	return events, d.finish(emit), nil
}

func TestSSEDecoding(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream string
		events []string
		end    ending
	}{
		{"lf", "data: a\n\ndata: b\n\n", []string{"|a", "|b"}, endWhole},
		{"crlf", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"|a", "|b"}, endWhole},
		{"bare cr", "data: a\r\rdata: b\r\r", []string{"|a", "|b"}, endWhole},
		{"mixed", "data: a\r\n\ndata: b\n\rdata: c\r\r\n", []string{"|a", "|b", "|c"}, endWhole},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []string{"|a"}, endWhole},
		{"no space", "data:a\n\n", []string{"|a"}, endWhole},
		{"two spaces", "data:  a\n\n", []string{"| a"}, endWhole},
		{"several lines", "data: a\ndata: b\ndata:\n\n", []string{"|a\nb\n"}, endWhole},
		{"named", "event: token\ndata: a\n\ndata: b\n\n", []string{"token|a", "|b"}, endWhole},
		{"comment between", ": ping\n\ndata: a\n: ping\ndata: b\n\n:\n\n", []string{"|a\nb"}, endWhole},
		{"id and retry are no events", "id: 1\nretry: 10\n\ndata: a\nid: 2\n\n", []string{"|a"}, endWhole},
		{"block without data", "event: done\n\ndata: a\n\n", []string{"|a"}, endWhole},
		{"empty data", "data\n\ndata:\n\n", []string{"|", "|"}, endWhole},
		{"unknown field", "data: a\nfoo: b\n\n", []string{"|a"}, endWhole},
		{"colon in data", "data: {\"a\":1}\n\n", []string{`|{"a":1}`}, endWhole},
		{"nothing", "", nil, endWhole},
		{"comments only", ": ping\n\n: ping\n\n", nil, endWhole},
		{"cut in a comment", "data: a\n\n: pi", []string{"|a"}, endWhole},
		{"cut in a line", "data: a\n\ndata: b", []string{"|a"}, endCut},
		{"cut in a field name", "data: a\n\nda", []string{"|a"}, endCut},
		{"cut before the empty line", "data: a\n\ndata: b\n", []string{"|a"}, endCut},
		{"html page", "<html>\n<h1>502</h1>\n</html>", nil, endAlien},
		{"html page with line end", "<html></html>\n", nil, endAlien},
		{"json", `{"error": {"message": "no"}}`, nil, endAlien},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{1, 2, 3, 7, 1 << 20} {
				events, end, err := decode(newSSE(), c.stream, n)
				if err != nil || end != c.end || !reflect.DeepEqual(events, c.events) {
					t.Errorf("reads of %d: got %q ending %d, error %v; want %q ending %d", n, events, end, err, c.events, c.end)
				}
			}
		})
	}
}

func TestNDJSONDecoding(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream string
		events []string
		end    ending
	}{
		{"lf", "{\"a\":1}\n{\"a\":2}\n", []string{`|{"a":1}`, `|{"a":2}`}, endWhole},
		{"crlf and empty lines", "{\"a\":1}\r\n\r\n{\"a\":2}\r\n", []string{`|{"a":1}`, `|{"a":2}`}, endWhole},
		{"last line without end", "{\"a\":1}\n{\"a\":2}", []string{`|{"a":1}`, `|{"a":2}`}, endWhole},
		{"byte order mark", "\xef\xbb\xbf1\n", []string{"|1"}, endWhole},
		{"cut", "{\"a\":1}\n{\"a\":", []string{`|{"a":1}`}, endCut},
		{"nothing", "", nil, endWhole},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{1, 3, 1 << 20} {
				events, end, err := decode(newNDJSON(), c.stream, n)
				if err != nil || end != c.end || !reflect.DeepEqual(events, c.events) {
					t.Errorf("reads of %d: got %q ending %d, error %v; want %q ending %d", n, events, end, err, c.events, c.end)
				}
			}
		})
	}
}

func TestLongLinesAreErrors(t *testing.T) {
	small := func() *sse { return &sse{lines: lines{max: 16}} }
	for _, c := range []struct {
		name, stream string
		bad          bool
	}{
		{"line of the limit", "data: 0123456789\n\n", false},
		{"line over the limit", "data: 0123456789a\n\n", true},
		{"line without end over the limit", "data: 0123456789a", true},
		{"event of the limit", "data: 0123456\ndata: 01234567\n\n", false},
		{"event over the limit", "data: 0123456\ndata: 012345678\n\n", true},
	} {
		for _, n := range []int{1, 5, 100} {
			if _, _, err := decode(small(), c.stream, n); (err != nil) != c.bad {
				t.Errorf("%s, reads of %d: error %v", c.name, n, err)
			}
		}
	}
	huge := "data: " + strings.Repeat("x", maxLine-6) + "\n\n"
	if events, _, err := decode(newSSE(), huge, 1<<20); err != nil || len(events) != 1 {
		t.Errorf("a line of 32 MiB: %d events, error %v", len(events), err)
	}
	if _, _, err := decode(newSSE(), "x"+huge, 1<<20); err == nil {
		t.Error("a line of 32 MiB and a byte is no error")
	}
}

// What the standard has settled must read the same here and in go-sse, and,
// where it can read the stream at all, in the SDK that real services use.
func TestSSEAgreesWithOtherReaders(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		sdk          bool // the SDK reads it
	}{
		{"openai", "data: {\"a\":1}\n\ndata: {\"a\":2}\n\ndata: [DONE]\n\n", true},
		{"named", "event: a\ndata: 1\n\nevent: b\ndata: 2\n\ndata: 3\n\n", true},
		{"comments", ": hello\n\ndata: 1\n\n: hello\n\n", true},
		{"crlf", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", true},
		{"several lines", "data: 1\ndata: 2\n\n", true},
		{"no space", "data:1\n\nevent:x\ndata:2\n\n", true},
		{"cut", "data: 1\n\ndata: 2", true},
		{"bare cr", "data: 1\r\rdata: 2\r\r", false},
		{"byte order mark", "\xef\xbb\xbfdata: 1\n\ndata: 2\n\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ours, _, err := decode(newSSE(), c.stream, 5)
			if err != nil {
				t.Fatal(err)
			}
			theirs := []string{}
			for ev, err := range gosse.Read(strings.NewReader(c.stream), nil) {
				if err != nil {
					t.Fatal(err)
				}
				theirs = append(theirs, ev.Type+"|"+ev.Data)
			}
			if !reflect.DeepEqual(ours, theirs) {
				t.Errorf("got %q, go-sse reads %q", ours, theirs)
			}
			if sdk := readWithSDK(c.stream); c.sdk && !reflect.DeepEqual(ours, sdk) {
				t.Errorf("got %q, the OpenAI SDK reads %q", ours, sdk)
			}
		})
	}
}

func readWithSDK(stream string) []string {
	response := &http.Response{
		Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body:   http.NoBody,
	}
	response.Body = readCloser{strings.NewReader(stream)}
	events := []string{}
	for d := ssestream.NewDecoder(response); d.Next(); {
		ev := d.Event()
		events = append(events, ev.Type+"|"+strings.TrimSuffix(string(ev.Data), "\n"))
	}
	return events
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// FuzzSSE checks that no bytes make the reader panic, and that neither events
// nor ending depend on how the bytes are split into reads.
func FuzzSSE(f *testing.F) {
	for _, seed := range []string{
		"data: a\n\n", "data: a\r\rdata:b\r\n\r\n", "\xef\xbb\xbfevent: x\ndata: 1\ndata: 2\n\n: c\n\nda", "<html>", "data: 0123456789012345678901234567890123456789\n\n",
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, stream []byte, n int) {
		n = max(1, n%64)
		for _, fresh := range []func() decoder{
			func() decoder { return &sse{lines: lines{max: 32}} },
			func() decoder { return &ndjson{lines: lines{max: 32}} },
		} {
			whole, end, err := decode(fresh(), string(stream), len(stream)+1)
			split, splitEnd, splitErr := decode(fresh(), string(stream), n)
			if !reflect.DeepEqual(whole, split) || end != splitEnd || (err == nil) != (splitErr == nil) {
				t.Fatalf("whole: %q ending %d error %v; reads of %d: %q ending %d error %v", whole, end, err, n, split, splitEnd, splitErr)
			}
		}
	})
}
