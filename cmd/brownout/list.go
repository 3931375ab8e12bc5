package main

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/brownout-chaos/brownout/docs"
	"github.com/brownout-chaos/brownout/faults"
	"github.com/brownout-chaos/brownout/hypotheses"
	"github.com/brownout-chaos/brownout/internal/refservice"
)

type listCmd struct {
	What string `arg:"" optional:"" help:"faults, toxics, hypotheses, dialects or policies; all of them without."`
}

// A listing is one kind of things with their names and first sentences.
type listing struct {
	name  string
	items [][2]string
}

func listings() []listing {
	fault, toxic, hypothesis := listing{name: "faults"}, listing{name: "toxics"}, listing{name: "hypotheses"}
	for _, f := range faults.Catalogue() {
		fault.items = append(fault.items, [2]string{f.Kind(), docs.Summary("faults", f.Kind())})
	}
	for _, t := range faults.Toxics() {
		toxic.items = append(toxic.items, [2]string{t.Kind(), docs.Summary("toxics", t.Kind())})
	}
	for _, h := range hypotheses.Catalogue() {
		hypothesis.items = append(hypothesis.items, [2]string{h.Kind(), docs.Summary("hypotheses", h.Kind())})
	}
	dialect, policy := listing{name: "dialects"}, listing{name: "policies"}
	for _, d := range hypotheses.Dialects() {
		dialect.items = append(dialect.items, [2]string{d, "${providers.NAME." + d + "}"})
	}
	for _, p := range refservice.Policies() {
		policy.items = append(policy.items, [2]string{p.Name, p.Summary})
	}
	return []listing{fault, toxic, hypothesis, dialect, policy}
}

// Run prints names and what they are, one a line.
func (c *listCmd) Run(a *app) error {
	names := []string{}
	for _, l := range listings() {
		names = append(names, l.name)
	}
	if c.What != "" && !slices.Contains(names, c.What) {
		return unknownName(fmt.Sprintf("there is no list of %q", c.What), c.What, names)
	}
	w := tabwriter.NewWriter(a.stdout, 0, 4, 2, ' ', 0)
	for _, l := range listings() {
		if c.What != "" && c.What != l.name {
			continue
		}
		if c.What == "" {
			fmt.Fprintf(w, "%s\n", l.name)
		}
		for _, item := range l.items {
			fmt.Fprintf(w, "  %s\t%s\n", item[0], item[1])
		}
	}
	return w.Flush()
}
