package strict_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brownout-chaos/brownout/internal/strict"
)

// The types of the tests: one of each thing that files have.
type animal interface{ Kind() string }

type cat struct {
	Lives int `json:"lives,omitempty"`
}

func (cat) Kind() string { return "cat" }

type dog struct {
	Name string        `json:"name,omitempty"`
	Nap  time.Duration `json:"nap,omitempty"`
}

func (dog) Kind() string { return "dog" }

type Home struct {
	Street string `json:"street,omitempty"`
}

type size int // "3 cm"

func (s *size) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%d cm", (*int)(s))
	if err != nil {
		return fmt.Errorf("%q is not a size: want a number of cm, such as 3 cm", text)
	}
	return nil
}

func (s size) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d cm", int(s)), nil }

// diet is a word or a list.
type diet struct{ Foods []string }

func (d *diet) UnmarshalYAML(decode func(any) error) error {
	var word string
	if decode(&word) == nil {
		d.Foods = []string{word}
		return nil
	}
	return decode(&d.Foods)
}

func (d diet) MarshalYAML() (any, error) {
	if len(d.Foods) == 1 {
		return d.Foods[0], nil
	}
	return d.Foods, nil
}

type pet struct {
	Home   `json:",inline"`
	Owner  string             `json:"owner,omitempty"`
	Age    *float64           `json:"age,omitempty"`
	Born   int8               `json:"born,omitempty"`
	Seed   uint64             `json:"seed,omitempty"`
	Good   bool               `json:"good,omitempty"`
	Long   size               `json:"long,omitempty"`
	Eats   diet               `json:"eats,omitzero"`
	Tags   map[string]string  `json:"tags,omitempty"`
	Scores map[string]float64 `json:"scores,omitempty"`
	Old    *Home              `json:"old,omitempty"`
	Animal animal             `json:"-" oneof:"animal"`
}

type zoo struct {
	Pets []pet `json:"pets"`
}

var options = strict.Options{OneOf: map[string][]strict.Kinder{"animal": {cat{}, dog{}}}}

func decode(text string) (zoo, error) {
	var z zoo
	_, err := strict.Decode("zoo.yaml", []byte(text), &z, options)
	return z, err
}

func TestDecode(t *testing.T) {
	age := 1.5
	want := pet{
		Home: Home{Street: "Elm: 3"}, Owner: "42", Age: &age, Born: -3, Seed: 18446744073709551615, Good: true, Long: 3,
		Eats: diet{[]string{"fish", "no"}}, Tags: map[string]string{"a": "b"}, Scores: map[string]float64{"x": 1},
		Animal: dog{Name: "yes", Nap: 90 * time.Second},
	}
	texts := map[string]string{
		"block": `
pets:
  - street: "Elm: 3"
    owner: 42
    age: 1.5
    born: -3
    seed: 18446744073709551615
    good: true
    long: 3 cm
    eats: [fish, no]
    tags: {a: b}
    scores: {x: 1}
    dog: {name: yes, nap: 1m30s}
`,
		"json": `{"pets": [{"street": "Elm: 3", "owner": "42", "age": 1.5, "born": -3, "seed": 18446744073709551615, "good": true, "long": "3 cm", "eats": ["fish", "no"], "tags": {"a": "b"}, "scores": {"x": 1}, "dog": {"name": "yes", "nap": "90s"}}]}`,
		"alias": `
pets:
  - &a {street: "Elm: 3", owner: "42", age: 1.5, born: -3, seed: 18446744073709551615, good: true, long: 3 cm, eats: [fish, no], tags: {a: b}, scores: {x: 1}, dog: {name: yes, nap: 90s}}
  - *a
`,
	}
	for name, text := range texts {
		z, err := decode(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, got := range z.Pets {
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %+v, want %+v", name, got, want)
			}
		}
	}
	z, err := decode("pets: [{cat: }, {cat: {}, old: }]")
	if err != nil || !reflect.DeepEqual(z.Pets[0].Animal, cat{}) || z.Pets[1].Old == nil {
		t.Errorf("left-out mappings: got %+v %v", z, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := map[string]struct {
		text  string
		place string // line:column
		want  string // part of the message
	}{
		"empty":             {"", "", "the file is empty"},
		"comment only":      {"# nothing\n", "", "the file is empty"},
		"syntax":            {"pets: [}", "1:", ""},
		"unknown key":       {"pets:\n  - {ower: x, cat: {}}", "2:6", `unknown key "ower"`},
		"hint":              {"pets:\n  - {ower: x, cat: {}}", "2:6", `did you mean "owner"?`},
		"unknown kind":      {"pets:\n  - {cta: {}}", "2:6", `did you mean "cat"?`},
		"no kind":           {"pets:\n  - owner: x", "2:5", "the animal is missing"},
		"two kinds":         {"pets:\n  - cat: {}\n    dog: {}", "3:5", `"dog" beside "cat"`},
		"duplicate":         {"pets: []\npets: []", "2:1", "pets: the key is there twice"},
		"not a list":        {"pets: 3", "1:7", `want a list, got "3"`},
		"not a mapping":     {"pets: [3]", "1:8", `want a mapping, got "3"`},
		"fraction as int":   {"pets: [{born: 1.5, cat: {}}]", "1:15", "want a whole number"},
		"out of range":      {"pets: [{born: 300, cat: {}}]", "1:15", "want a whole number"},
		"negative unsigned": {"pets: [{seed: -1, cat: {}}]", "1:15", "0 or more"},
		"text as bool":      {"pets: [{good: yes, cat: {}}]", "1:15", "true or false"},
		"infinite":          {"pets: [{age: .inf, cat: {}}]", "1:14", "want a number"},
		"no unit":           {"pets: [{dog: {nap: 10}}]", "1:20", "write 10s"},
		"bad time":          {"pets: [{dog: {nap: soon}}]", "1:20", "such as 2s"},
		"own text":          {"pets: [{long: 3 km, cat: {}}]", "1:15", "3 cm"},
		"own union":         {"pets: [{eats: [[]], cat: {}}]", "1:16", "want a text, got a list"},
		"null text":         {"pets: [{owner: , cat: {}}]", "", "want a text, got nothing"},
		"mapping as text":   {"pets: [{owner: {a: b}, cat: {}}]", "1:16", "want a text, got a mapping"},
		"second document":   {"pets: []\n---\npets: []", "3:1", "second document"},
		"tag":               {"pets: !!seq []", "1:7", "tags such as !!seq"},
		"bare tag":          {"pets: [{cat: !x }]", "1:14", "tags such as !x"},
		"directive":         {"%YAML 1.2\n---\npets: []", "1:1", "directives"},
		"merge key":         {"pets: [&a {owner: x, cat: {}}, {<<: *a}]", "1:33", "merge keys are not allowed"},
		"unknown alias":     {"pets: *nobody", "1:7", "nobody"},
		"alias before":      {"pets: [*a, &a {cat: {}}]", "1:8", "no anchor before it"},
		"anchor twice":      {"pets: [&a {cat: {}}, *a, &a {dog: {}}, *a]", "1:26", "there twice"},
		"anchor on a key":   {"&a pets: []", "1:1", "no plain key"},
		"alias as a key":    {"pets: [{owner: &a cat, *a : {}}]", "1:24", "no plain key"},
		"quoted number":     {"pets: [{born: '3', cat: {}}]", "1:15", "want a whole number, got the text"},
		"no UTF-8":          {"pets:\n- owner: \"\xff\"", "2:11", "0xff is no UTF-8"},
		"control character": {"pets:\n- owner: é\x1b[2J", "2:11", "control character U+001B"},
		"empty lines":       {"pets:\n- owner: |\n   x" + strings.Repeat("\n", 10000) + "  cat: {}", "104:1", "empty lines"},
		"long line":         {"pets: [" + strings.Repeat("{cat: {}}, ", 60) + "{ower: x, cat: {}}]", "1:669", `did you mean "owner"?`},
		"deep flow":         {"pets: " + strings.Repeat("[", 40), "", "32 levels"},
		"deep block":        {strings.Repeat("- ", 40), "", "32 levels"},
		"deep mappings":     {deepMapping(40), "", "32 levels"},
		"many tokens":       {"pets: [" + strings.Repeat("1,", 15000) + "1]", "", "20000"},
		"too large":         {"# " + strings.Repeat("x", 1<<20), "", "1 MiB"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, err := decode(test.text)
			var placed *strict.Error
			if !errors.As(err, &placed) {
				t.Fatalf("got %v, want a *strict.Error", err)
			}
			if !strings.HasPrefix(err.Error(), "zoo.yaml:"+test.place) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, want place %q and %q", err, test.place, test.want)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestErrorsAreReadable: whatever the file holds, the error is short, and its
// caret is below what is wrong.
func TestErrorsAreReadable(t *testing.T) {
	long := strings.Repeat("x", 1<<19)
	for name, text := range map[string]string{
		"long key": long + ": 1", "long value": "pets: [{born: " + long + ", cat: {}}]", "long kind": "pets: [{" + long + ": }]",
		"long header": "pets: |" + long, "long text": "pets: [{long: \"" + long + "\", cat: {}}]",
	} {
		if _, err := decode(text); err == nil || len(err.Error()) > 2000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
	for name, text := range map[string]string{
		"letters of two bytes": "pets: [{owner: äöü, ower: x, cat: {}}]",
		"a long line":          "pets: [" + strings.Repeat("{owner: äöü, cat: {}}, ", 99) + "{ower: x, cat: {}}]",
		"carriage returns":     "pets:\r- {owner: x, ower: y}\r",
	} {
		_, err := decode(text)
		lines := strings.Split(fmt.Sprint(err), "\n")
		if len(lines) != 4 || len([]rune(lines[1])) > 140 {
			t.Errorf("%s: got\n%v", name, err)
			continue
		}
		caret := strings.Index(lines[2], "^")
		if line := []rune(lines[1]); caret+4 > len(line) || string(line[caret:caret+4]) != "ower" {
			t.Errorf("%s: the caret is elsewhere:\n%v", name, err)
		}
	}
}

func deepMapping(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestAliasBombsAreRefused(t *testing.T) {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := range 8 {
		alias := fmt.Sprintf("*a%d", i)
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(alias+",", 8)+alias)
	}
	if _, err := decode(bomb); err == nil || !strings.Contains(err.Error(), "aliases written out") {
		t.Errorf("got %v", err)
	}
	if _, err := decode("pets: &a [*a]"); err == nil || !strings.Contains(err.Error(), "contains itself") {
		t.Errorf("got %v", err)
	}
}

func TestPlaces(t *testing.T) {
	var z zoo
	places, err := strict.Decode("zoo.yaml", []byte("pets:\n  - owner: x\n    cat: {lives: 9}\n"), &z, options)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"pets[0].owner":     "zoo.yaml:2:12: pets[0].owner: bad",
		"pets[0].cat.lives": "zoo.yaml:3:18: pets[0].cat.lives: bad",
		"pets[0].age":       "zoo.yaml:2:5: pets[0].age: bad",
		"":                  "zoo.yaml:1:1: bad",
	}
	for path, want := range tests {
		if got := places.Error(path, "", "bad").Error(); !strings.HasPrefix(got, want+"\n") {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	got := places.Error("pets[0].owner", "do this", "bad").Error()
	if want := "zoo.yaml:2:12: pets[0].owner: bad\n      - owner: x\n               ^\nhint: do this"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNear(t *testing.T) {
	known := []string{"rate_limit", "reset", "retry_after"}
	for name, want := range map[string]string{"retry-after": "retry_after", "rset": "reset", "ratelimit": "rate_limit", "zebra": ""} {
		if got := strict.Near(name, known); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestEveryLetterRoundTrips: what YAML has a use for is a text like any other.
func TestEveryLetterRoundTrips(t *testing.T) {
	want := map[string]string{}
	for r := rune(0); r < 0x3100; r++ {
		want[string(r)+"a"] = "a" + string(r)
	}
	for _, r := range "\ufeff\ufffd\uffff\U0001f600" {
		want[string(r)] = string(r) + " " + string(r)
	}
	words := []string{"", "~", "null", "Yes", "on", "0x1F", "1_000", "1:30", ".inf", "- a", "? a", "*a", "&a", "!a", "<<", "# a", "a #b", "a: b", "{}", "---", "...", "%a", "|", ">", "@", "`", " a ", "\t", "\n", "a\n\nb", "\r\n", "'", "\"", "\\"}
	for _, word := range words {
		want[word+"!"] = word
		want[word] = "!"
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(want)), 3000) { // a file has 20,000 tokens at most
		chunk := map[string]string{}
		for _, key := range part {
			chunk[key] = want[key]
		}
		data, err := strict.Encode(chunk)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if _, err := strict.Decode("letters.yaml", data, &back, strict.Options{}); err != nil {
			t.Fatal(err)
		}
		for key, value := range chunk {
			if got, ok := back[key]; !ok || got != value {
				t.Errorf("%q: wrote %q, read %q", key, value, got)
			}
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, v := range map[string]any{
		"a text of bytes": map[string]string{"a": "\xff"}, "a key of bytes": map[string]int{"\xff": 1}, "a channel": map[string]any{"a": make(chan int)},
		"no number": map[string]float64{"a": math.NaN()}, "infinity": map[string]float64{"a": math.Inf(1)},
	} {
		if data, err := strict.Encode(v); err == nil {
			t.Errorf("%s: wrote %q", name, data)
		}
	}
}

// TestRoundTrip writes any zoo and reads it back.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := zoo{}
		for range rapid.IntRange(1, 4).Draw(t, "pets") {
			z.Pets = append(z.Pets, drawPet(t))
		}
		data, err := strict.Encode(z)
		if err != nil {
			t.Fatal(err)
		}
		var back zoo
		if _, err := strict.Decode("written.yaml", data, &back, options); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if !reflect.DeepEqual(z, back) {
			t.Fatalf("wrote %+v\nread %+v\n%s", z, back, data)
		}
	})
}

func drawPet(t *rapid.T) pet {
	word := rapid.String()
	p := pet{
		Home: Home{Street: word.Draw(t, "street")}, Owner: word.Draw(t, "owner"),
		Born: rapid.Int8().Draw(t, "born"), Seed: rapid.Uint64().Draw(t, "seed"), Good: rapid.Bool().Draw(t, "good"),
		Long:   size(rapid.IntRange(-9, 9).Draw(t, "long")),
		Animal: dog{Name: word.Draw(t, "name"), Nap: time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "nap"))},
	}
	if rapid.Bool().Draw(t, "tagged") {
		p.Tags = map[string]string{word.Draw(t, "tag"): word.Draw(t, "value")}
		p.Animal = cat{Lives: rapid.Int().Draw(t, "lives")}
	}
	if rapid.Bool().Draw(t, "aged") {
		age := rapid.Float64Range(-1e9, 1e9).Draw(t, "age")
		p.Age = &age
	}
	if foods := rapid.SliceOfN(word, 0, 3).Draw(t, "foods"); len(foods) > 0 {
		p.Eats = diet{foods}
	}
	return p
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"pets: [{cat: {lives: 9}, eats: fish}]", "pets:\n  - &a {dog: {nap: 2s}}\n  - *a\n", "- - - 1", "{\"pets\": []}",
		"pets: !!x [", "a: |\n  b\n", "? a\n: b\n", "pets: [{<<: *a}]", "---\n...\n---\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := decode(text); err != nil && !strings.HasPrefix(err.Error(), "zoo.yaml") {
			t.Errorf("an error without a place: %v", err)
		}
	})
}
