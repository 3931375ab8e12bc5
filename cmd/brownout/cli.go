package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/brownout-chaos/brownout/internal/strict"
)

// cli is the command line: one field per sub-command, one file each.
type cli struct {
	Run      runCmd      `cmd:"" help:"Run experiment files and judge them."`
	Check    checkCmd    `cmd:"" help:"Parse and resolve files: windows, samples, variables to set. Touches nothing."`
	Judge    judgeCmd    `cmd:"" help:"Judge a recorded journal again."`
	Report   reportCmd   `cmd:"" help:"Render a recorded journal again."`
	Provider providerCmd `cmd:"" help:"Run the fake provider alone."`
	Service  serviceCmd  `cmd:"" help:"Run a sample service."`
	List     listCmd     `cmd:"" help:"List faults, hypotheses, dialects and policies."`
	Explain  explainCmd  `cmd:"" help:"Explain one fault, toxic or hypothesis."`
	Demo     demoCmd     `cmd:"" help:"Naive service refuted, resilient service held, in under a minute."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

// app is what every sub-command needs from the outside world.
type app struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	args   []string
	code   int // exit code when the sub-command ends without an error
}

// exit ends the parser when help was asked for; kong would go on.
type exit int

// Main runs the command line and returns the exit code.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exit:
			code = int(p)
		default:
			panic(p) // a mistake of ours must not look like an answer
		}
	}()
	a := &app{ctx: ctx, stdout: stdout, stderr: stderr, args: args}
	parser, err := kong.New(&cli{},
		kong.Name("brownout"),
		kong.Description("Proves how a service behaves when its LLM provider is slow, wrong or gone."),
		kong.DefaultEnvars("BROWNOUT"),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return a.fail(err)
	}
	if err := checkVariables(parser.Model, os.Environ()); err != nil {
		return a.fail(err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	chosen, err := parser.Parse(args)
	if err != nil {
		return a.fail(fmt.Errorf("%w\nhint: brownout --help lists the commands, brownout COMMAND --help their flags", err))
	}
	if err := chosen.Run(a); err != nil {
		return a.fail(err)
	}
	return a.code
}

// fail prints the error as the last word and gives the exit code for "could
// not run".
func (a *app) fail(err error) int {
	fmt.Fprintln(a.stderr, "brownout: "+err.Error())
	return exitError
}

// checkVariables refuses BROWNOUT_* variables that no flag reads, and unsets
// empty ones, which mean "not set".
func checkVariables(model *kong.Application, environ []string) error {
	known := []string{}
	err := kong.Visit(model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			known = append(known, flag.Envs...)
		}
		return next(nil)
	})
	if err != nil {
		return err
	}
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "BROWNOUT_") {
			continue
		}
		if value == "" {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
			continue
		}
		if !slices.Contains(known, name) {
			return unknownName("the variable "+name+" is read by no flag", name, known)
		}
	}
	return nil
}

// unknownName is an error with the nearest known name as a hint.
func unknownName(what, name string, known []string) error {
	if near := strict.Near(name, known); near != "" {
		return fmt.Errorf("%s\nhint: did you mean %s?", what, near)
	}
	return errors.New(what + "\nhint: known are " + strings.Join(known, ", "))
}
