package main

import (
	"fmt"
	"runtime/debug"
)

type versionCmd struct{}

// Run prints one line.
func (versionCmd) Run(a *app) error {
	_, err := fmt.Fprintln(a.stdout, tool())
	return err
}

// tool is the name and version of this binary: the module version, or the
// commit it was built from.
func tool() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "brownout devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return "brownout " + v
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return "brownout devel-" + setting.Value[:12]
		}
	}
	return "brownout devel"
}
