package fakes

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/brownout-chaos/brownout/faults"
)

// TestInterleaving: whatever the order in which the attempts of many requests
// arrive, each attempt meets the same fault.
func TestInterleaving(t *testing.T) {
	share := func(name string, p float64) *rule {
		r, err := newRule(faults.Rule{Name: name, Fault: faults.Reset{}, Trigger: faults.Trigger{Share: &p}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	decide := func(seed uint64, order []int) map[string]string {
		rs := rules{seed: seed}
		rs.add([]*rule{share("a", 0.3), share("b", 0.5)})
		tries := newAttempts(1000)
		got := map[string]string{}
		for _, request := range order {
			ties := correlation{header: fmt.Sprintf("r-%06d", request), body: "same"}
			f := &facts{key: ties.key(), attempt: tries.next(ties)}
			name := ""
			if r := rs.decide(f); r != nil {
				name = r.title
			}
			got[fmt.Sprintf("%s/%d", f.key, f.attempt)] = name
		}
		return got
	}
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		order := rapid.SliceOfN(rapid.IntRange(1, 8), 1, 40).Draw(t, "order")
		shuffled := rapid.Permutation(order).Draw(t, "shuffled")
		a, b := decide(seed, order), decide(seed, shuffled)
		for attempt, fault := range a {
			if b[attempt] != fault {
				t.Fatalf("%s: got %q in one order and %q in the other", attempt, fault, b[attempt])
			}
		}
	})
}

// TestDrawIsUniform: near keys and attempts give independent draws.
func TestDrawIsUniform(t *testing.T) {
	const n, cells = 20_000, 20
	count := make([]float64, cells)
	for i := range n {
		d := draw{seed: 1, rule: "a", key: fmt.Sprintf("r-%06d", i/4), attempt: i % 4}
		count[int(d.at("share", 0)*cells)]++
	}
	chi := 0.0
	for _, c := range count {
		chi += (c - n/cells) * (c - n/cells) / (n / cells)
	}
	if chi > 50 { // 19 degrees of freedom: one in 8,000, and the draw is fixed
		t.Errorf("chi-squared %.1f over %d cells: %v", chi, cells, count)
	}
	if d := (draw{}); d.at("gap", 1) == d.at("gap", 2) || d.at("gap", 1) == d.at("first", 1) {
		t.Error("two uses of a draw are the same")
	}
}

func TestMarkers(t *testing.T) {
	tests := []struct {
		body string
		want []string
	}{
		{"", nil},
		{"brownout-1a2b3c4d-r-000123", []string{"r-000123"}},
		{`{"a":"x brownout-1a2b3c4d-r-1234567\n","b":"brownout-00000000-r-000001"}`, []string{"r-1234567", "r-000001"}},
		{"brownout-1a2b3c4d-r-000123, brownout-1a2b3c4d-r-000123", []string{"r-000123"}},
		{"brownout-1a2b3c4d-r-00012", nil},
		{"brownout-1a2b3c4-r-000123", nil},
		{"brownout-1A2B3C4D-r-000123", nil},
		{"brownout-1a2b3c4d-q-000123", nil},
		{"brownout-brownout-1a2b3c4d-r-000123", []string{"r-000123"}},
		{"brownout-1a2b3c4d", nil},
	}
	for _, test := range tests {
		if got := markers([]byte(test.body)); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %v, want %v", test.body, got, test.want)
		}
	}
}

func TestTraceID(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef"
	for header, want := range map[string]string{
		"00-" + id + "-0000000000000001-01":      id,
		"00-" + id + "-0000000000000001-01-more": id,
		"":                                       "",
		"00-" + id:                               "",
		"00-" + id[1:] + "g-0000000000000001-01": "",
		"00-00000000000000000000000000000000-0000000000000001-01":              "",
		"00_0123456789abcdef0123456789abcdef_0000000000000001_01_____________": "",
	} {
		if got := traceID(header); got != want {
			t.Errorf("%q: got %q, want %q", header, got, want)
		}
	}
}

// TestAttemptsAreBounded: old groups are forgotten, the last ones are not.
func TestAttemptsAreBounded(t *testing.T) {
	const size = 10
	a := newAttempts(size)
	group := func(i int) correlation { return correlation{header: fmt.Sprint(i)} }
	for i := range 1000 {
		if got := a.next(group(i)); got != 1 {
			t.Fatalf("group %d: got attempt %d, want 1", i, got)
		}
	}
	if len(a.young)+len(a.old) > 2*size {
		t.Errorf("%d groups are remembered, more than %d", len(a.young)+len(a.old), 2*size)
	}
	for i := 990; i < 1000; i++ {
		if got := a.next(group(i)); got != 2 {
			t.Errorf("group %d: got attempt %d, want 2", i, got)
		}
	}
}
