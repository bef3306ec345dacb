// Command suite lets upstream's conformance tests judge providers that Bulkhead runs.
//
// The tests are upstream's own: its programs, its engine, its assertions. Only the providers are replaced, each by a plugin
// of the same package, version and schema. Nothing here knows what a test expects.
//
//	suite schemas DIRECTORY              writes the schema of every package that a test uses
//	suite run [flags] PLUGINS [TEST...]  runs the tests against the plugins in a directory, and lists how each ended
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "error: failed to %v\n", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 2 && arguments[0] == "schemas" {
		return writeSchemas(arguments[1])
	}
	if len(arguments) == 0 || arguments[0] != "run" {
		return fmt.Errorf("understand %q: say `schemas DIRECTORY` or `run PLUGINS`", arguments)
	}
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	var options options
	flags.StringVar(&options.list, "list", "results.txt", "where to write the list")
	flags.IntVar(&options.jobs, "jobs", 4, "how many tests run at once")
	flags.BoolVar(&options.native, "native", false, "use upstream's providers, to see what the tests do without Bulkhead")
	flags.BoolVar(&options.verbose, "verbose", false, "say everything that a failed test said")
	if err := flags.Parse(arguments[1:]); err != nil {
		return fmt.Errorf("understand the flags: %w", err)
	}
	if flags.NArg() == 0 {
		return fmt.Errorf("find plugins: name their directory")
	}
	options.plugins = flags.Arg(0)
	options.only = flags.Args()[1:]
	return judge(options)
}
