package main

import (
	"fmt"

	"github.com/brownout-chaos/brownout/docs"
)

type explainCmd struct {
	Name string `arg:"" help:"The key of a fault, toxic or hypothesis."`
}

// Run prints the page of the name. A name that is both a toxic and a
// hypothesis has two.
func (c *explainCmd) Run(a *app) error {
	pages := docs.Pages(c.Name)
	if len(pages) == 0 {
		known := []string{}
		for _, l := range listings() {
			if l.name == "dialects" || l.name == "policies" {
				continue
			}
			for _, item := range l.items {
				known = append(known, item[0])
			}
		}
		return unknownName(fmt.Sprintf("there is no page on %q", c.Name), c.Name, known)
	}
	for i, page := range pages {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		fmt.Fprint(a.stdout, page)
	}
	return nil
}
