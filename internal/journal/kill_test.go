package journal_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/journal"
)

// killDir names, in the process that is to be killed, its result directory.
const killDir = "BROWNOUT_TEST_JOURNAL"

// TestKill: kill -9 leaves what was recorded.
func TestKill(t *testing.T) {
	if dir := os.Getenv(killDir); dir != "" {
		recordUntilKilled(t, dir)
	}
	dir := t.TempDir()
	command := exec.Command(os.Args[0], "-test.run=^TestKill$")
	command.Env = append(os.Environ(), killDir+"="+dir)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	alive, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReader(out).ReadString('\n')
	if err := command.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = command.Wait() // it was killed: always an error
	if readErr != nil {
		t.Fatalf("the process said %q: %v", line, readErr)
	}
	j := readBack(t, dir)
	if len(j.Requests) < 1000 || j.End.AbortedBy != journal.Killed || j.Run.Seed != 42 {
		t.Errorf("got %d requests, aborted by %q, seed %d; want at least 1000, %q, 42", len(j.Requests), j.End.AbortedBy, j.Run.Seed, journal.Killed)
	}
}

// recordUntilKilled tells its parent when there is something to lose, and goes
// on. A parent that dies first ends it, too.
func recordUntilKilled(t *testing.T, dir string) {
	w := create(t, dir, 0)
	for seq := 1; seq < 100_000; seq++ {
		w.Request(request(seq))
		if seq == 1000 {
			w.Note(hypotheses.Note{Kind: "load", Text: "a note reaches the file at once"})
			fmt.Println("recorded")
		}
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

// TestRecordsReachTheFile: at once or within 100 ms, before the run is over.
func TestRecordsReachTheFile(t *testing.T) {
	for _, c := range []struct {
		name   string
		record func(*journal.Writer)
		within time.Duration
	}{
		{"phase", func(w *journal.Writer) { w.Phase(hypotheses.PhaseSpan{Name: "fault"}) }, 0},
		{"window", func(w *journal.Writer) { w.Window(hypotheses.Window{Name: "a"}) }, 0},
		{"note", func(w *journal.Writer) { w.Note(hypotheses.Note{Kind: "load"}) }, 0},
		{"request", func(w *journal.Writer) { w.Request(request(1)) }, 100 * time.Millisecond},
		{"call", func(w *journal.Writer) { w.Call(call("primary", 1)) }, 100 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := create(t, dir, 0)
				defer closed(t, w)
				c.record(w)
				<-time.After(c.within)
				synctest.Wait()
				j := readBack(t, dir)
				if got := len(j.Phases) + len(j.Windows) + len(j.Requests) + len(j.Calls) + len(j.Notes); got != 2 { // and the note on the missing health
					t.Errorf("got %+v, want the %s", j, c.name)
				}
			})
		})
	}
}
