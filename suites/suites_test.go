package suites_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/suites"
	"github.com/brownout-chaos/brownout/suites/specs"
)

// TestMain takes --service, also behind a second --: what is left over must
// never make the suite test another service than the one that was meant.
func TestMain(m *testing.M) {
	flag.String("service", "", "service file or URL of the service under test; default: the sample services")
	flag.Parse()
	if flag.NArg() > 0 {
		if err := flag.CommandLine.Parse(flag.Args()); err != nil || flag.NArg() > 0 {
			fmt.Fprintf(os.Stderr, "suites: leftover arguments %q: want --service FILE|URL\n", flag.Args())
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}

// TestSuites is the suite. Against a service that was named, every family must
// hold. Without one, the resilient sample service must hold every family, and
// the naive one must be refuted by the hypothesis that fits.
func TestSuites(t *testing.T) {
	if testing.Short() && serviceName() == "" {
		t.Skip("runs sixteen experiments; not in short mode")
	}
	gomega.RegisterFailHandler(ginkgo.Fail)
	suite := &specs.Suite{Runner: suites.Runner{Brownout: brownout(t), Dir: os.Getenv("SUITES_DIR")}, SideBySide: 4}
	if name := serviceName(); name != "" {
		service := namedService(t, name)
		suite.Describe(service.Subject.Name, service)
	} else {
		suite.Describe("resilient", parse(t, "examples/outage/resilient.yaml"))
		suite.DescribeRefuted("naive", parse(t, "examples/outage/naive.yaml"))
	}
	config, reporter := ginkgo.GinkgoConfiguration()
	config.FailOnEmpty = true // a filter that fits nothing must not pass
	reporter.NoColor = reporter.NoColor || os.Getenv("NO_COLOR") != ""
	ginkgo.RunSpecs(t, "brownout suites", config, reporter)
}

// serviceName is the flag, or BROWNOUT_SERVICE. The variable is read here and
// not before: read in a package variable it would be invisible to the test
// cache, and the result of another service would be taken for this one's.
func serviceName() string {
	if name := flag.Lookup("service").Value.String(); name != "" {
		return name
	}
	return os.Getenv("BROWNOUT_SERVICE")
}

// namedService reads a service file. A URL is taken for a service with the
// endpoints of the samples, which was started with the base URLs
// http://127.0.0.1:9901/v1 and, for its fallback, http://127.0.0.1:9902/v1.
func namedService(t *testing.T, name string) hypotheses.Service {
	if !strings.HasPrefix(name, "http://") && !strings.HasPrefix(name, "https://") {
		return parse(t, name)
	}
	service := parse(t, "examples/outage/resilient.yaml")
	service.Subject = hypotheses.Subject{Name: name, URL: name}
	service.Providers = map[string]hypotheses.Provider{"primary": {Listen: "127.0.0.1:9901"}, "fallback": {Listen: "127.0.0.1:9902"}}
	return service
}

// parse reads a service file. go test and ginkgo run in this folder: a path
// that is not here is looked for from the module's root.
func parse(t *testing.T, file string) hypotheses.Service {
	t.Helper()
	if _, err := os.Stat(file); err != nil && !filepath.IsAbs(file) {
		file = filepath.Join("..", file)
	}
	service, err := hypotheses.ParseService(file)
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// brownout builds the binary that holds the sample services.
func brownout(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "brownout")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/brownout").CombinedOutput(); err != nil {
		t.Fatalf("build the sample services: %v\n%s", err, out)
	}
	return binary
}
