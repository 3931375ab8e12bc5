package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/brownout-chaos/brownout/hypotheses"
)

// writeJUnit writes the form of test results that CI systems read: a suite per
// experiment and a case per hypothesis. Refuted is a failure. Inconclusive and
// aborted are errors, since no data is never a pass; the type of an error is
// the reason. Only undeclared, a promise that nobody made, is skipped. A run
// that was ended early is an error even where every hypothesis has an answer.
func writeJUnit(w io.Writer, v hypotheses.Verdict, j hypotheses.Journal) error {
	suite := junitSuite{
		Name: oneLine(v.Experiment), Timestamp: v.Started, Time: plain(v.DurationS),
		Properties: junitProperties(v),
		Out:        junitText{Text: strings.Join(Lines(v), "\n")},
	}
	for _, f := range v.Findings {
		suite.add(f, junitBody(v, j, f))
	}
	if v.AbortedBy != "" {
		suite.Errors++
		suite.Cases = append(suite.Cases, junitCase{
			Class: suite.Name, Name: "the run ends by itself", Time: "0",
			Error: &junitProblem{Message: "aborted by " + oneLine(v.AbortedBy), Type: string(hypotheses.Aborted)},
		})
	}
	suite.Tests = len(suite.Cases)
	all := junitSuites{Name: oneLine(v.Tool), Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Skipped: suite.Skipped,
		Time: suite.Time, Suites: []junitSuite{suite}}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("verdict as JUnit XML: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

// add adds the case of a hypothesis and counts it.
func (s *junitSuite) add(f hypotheses.Finding, body string) {
	c := junitCase{Class: s.Name, Name: oneLine(f.Says), Time: "0"}
	problem := &junitProblem{Message: Line(f), Type: string(f.Status), Text: body}
	switch f.Status {
	case hypotheses.Held:
	case hypotheses.Refuted:
		s.Failures++
		c.Failure = problem
	case hypotheses.Undeclared:
		s.Skipped++
		c.Skipped = &junitProblem{Message: problem.Message}
	default:
		s.Errors++
		if f.Reason != "" {
			problem.Type = string(f.Reason)
		}
		c.Error = problem
	}
	s.Cases = append(s.Cases, c)
}

// junitBody is what a CI system shows below the message: the requests to look
// at and how to run again.
func junitBody(v hypotheses.Verdict, j hypotheses.Journal, f hypotheses.Finding) string {
	lines := append([]string{Line(f)}, evidence(hypotheses.Verdict{Findings: []hypotheses.Finding{f}}, j)...)
	for _, command := range repeat(v).lines {
		lines = append(lines, "run again: "+command)
	}
	return strings.Join(lines, "\n")
}

func junitProperties(v hypotheses.Verdict) []junitProperty {
	return []junitProperty{
		{"tool", oneLine(v.Tool)},
		{"seed", strconv.FormatUint(v.Seed, 10)},
		{"status", string(v.Status)},
		{"aborted_by", oneLine(v.AbortedBy)},
		{"command", oneLine(v.Command)},
	}
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	Out        junitText       `xml:"system-out"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Skipped *junitProblem `xml:"skipped"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

type junitText struct {
	Text string `xml:",chardata"`
}
