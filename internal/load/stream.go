package load

import (
	"bytes"
	"fmt"
	"io"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// A stream reads one streamed answer into its request.
type stream struct {
	request *hypotheses.Request
	mapping *mapping
	decoder decoder
	text    *kept                     // of token events; nil: not needed
	now     func() hypotheses.Seconds // since the start of the run

	at    hypotheses.Seconds // of the read that is being decoded
	token hypotheses.Seconds // time of the last token event
	over  bool               // the answer has ended, whatever comes after
	quiet bool               // it broke off in its longest wait so far, whose end nobody knows
}

// read reads until the answer ends: with its own end, a reported error, an
// event that does not parse, or the end of the bytes. The clock is read when
// bytes arrive, before anything looks at them. The error is the reader's own:
// what it means depends on who gave up.
func (s *stream) read(body io.Reader, buffer []byte) error {
	for {
		n, err := body.Read(buffer)
		s.at = s.now()
		s.request.Bytes += int64(n)
		if n > 0 {
			if tooLong := s.decoder.feed(buffer[:n], s.event); tooLong != nil {
				s.fail(hypotheses.ErrMalformed, tooLong.Error())
			}
		}
		switch {
		case s.over:
			return nil
		case err == io.EOF:
			s.bytesEnded()
			return nil
		case err != nil:
			s.quiet = s.token == 0 || s.at-s.token >= s.request.MaxGap
			s.close()
			return err
		}
	}
}

// event takes one event and reports whether the answer goes on.
func (s *stream) event(ev event) bool {
	r := s.request
	r.Events++
	if r.Events == 1 {
		r.FirstEvent = s.at
	}
	reading := s.mapping.read(ev)
	if reading.err != nil && r.ExprError == "" {
		r.ExprError = "stream: " + reading.err.Error()
	}
	switch {
	case reading.end:
		s.close()
	case reading.fault:
		s.fail(hypotheses.ErrEvent, string(ev.data))
	case reading.malformed:
		s.fail(hypotheses.ErrMalformed, fmt.Sprintf("event %d is not JSON: %q", r.Events, clip(ev.data)))
	case reading.token:
		s.content(reading.text)
	}
	return !s.over
}

func (s *stream) content(text string) {
	if s.request.FirstContent == 0 {
		s.request.FirstContent = s.at
	}
	s.gap()
	s.token = s.at
	if s.text != nil {
		s.text.add([]byte(text))
	}
}

// gap takes the wait since the last token into account.
func (s *stream) gap() {
	if s.token != 0 {
		s.request.MaxGap = max(s.request.MaxGap, s.at-s.token)
	}
}

// close ends the answer now.
func (s *stream) close() {
	s.gap()
	s.request.End, s.over = s.at, true
}

func (s *stream) fail(why hypotheses.RequestError, detail string) {
	s.close()
	s.request.Outcome, s.request.Error, s.request.Detail = hypotheses.Failed, why, detail
}

// bytesEnded takes the clean end of the bytes, which is a complete answer only
// where no end is known and nothing was cut.
func (s *stream) bytesEnded() {
	ending := s.decoder.finish(s.event)
	switch {
	case s.over:
	case ending == endAlien:
		s.fail(hypotheses.ErrMalformed, fmt.Sprintf("no event in %d bytes", s.request.Bytes))
	case ending == endCut:
		s.fail(hypotheses.ErrTruncated, "the stream ended within an event")
	case s.request.Events == 0:
		s.fail(hypotheses.ErrTruncated, "the stream ended without an event")
	case s.mapping.end != nil:
		s.fail(hypotheses.ErrTruncated, fmt.Sprintf("the stream ended without its end after %d events", s.request.Events))
	default:
		s.close()
	}
}

// clip shortens bytes for an error.
func clip(b []byte) []byte {
	const most = 80
	return bytes.TrimSpace(b[:min(len(b), most)])
}
