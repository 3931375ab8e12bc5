package suites_test

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-chaos/brownout/suites"
)

// TestSwappedServiceFails points the suite at the naive service: it must fail,
// in every family, by the hypothesis that fits.
func TestSwappedServiceFails(t *testing.T) {
	if serviceName() != "" {
		t.Skip("a service was named: this test is about the sample services")
	}
	if testing.Short() {
		t.Skip("runs eight experiments; not in short mode")
	}
	junit := filepath.Join(t.TempDir(), "junit.xml")
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-test.run=^TestSuites$", "-ginkgo.junit-report="+junit, "--service", "examples/outage/naive.yaml")
	cmd.Env = append(os.Environ(), "SUITES_DIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("the suite passed against the naive service:\n%s", out)
	}
	failed := failedSpecs(t, junit)
	for _, f := range suites.Families() {
		fits := func(message string) bool {
			return strings.Contains(message, "refuted") && strings.Contains(message, f.Fits)
		}
		if !slices.ContainsFunc(failed[f.Name], fits) {
			t.Errorf("%s: no failed spec names a refuted %s, got %q", f.Name, f.Fits, failed[f.Name])
		}
	}
}

// failedSpecs reads the messages of failed specs by label of their family.
func failedSpecs(t *testing.T, file string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Cases []struct {
			Name    string `xml:"name,attr"`
			Failure struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	failed := map[string][]string{}
	for _, c := range report.Cases {
		for _, f := range suites.Families() {
			if c.Failure.Message != "" && strings.Contains(c.Name, "["+f.Name+"]") {
				failed[f.Name] = append(failed[f.Name], c.Failure.Message)
			}
		}
	}
	return failed
}
