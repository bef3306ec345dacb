package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"google.golang.org/grpc"

	yaml "github.com/pulumi/pulumi-yaml/pkg/server"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/pkg/v3/testing/pulumi-test-language/runner"
	"github.com/pulumi/pulumi/pkg/v3/testing/pulumi-test-language/tests"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	testingrpc "github.com/pulumi/pulumi/sdk/v3/proto/go/testing"
)

type options struct {
	plugins string
	only    []string
	list    string
	jobs    int
	native  bool
	verbose bool
}

// verdict is how a test ended.
type verdict struct {
	word   string
	reason string
}

func failed(err error) verdict { return verdict{"failed", line(err.Error())} }

// judge runs the tests and writes a line for each: its name, how it ended, and why unless it passed.
func judge(options options) error {
	names := judged()
	if len(options.only) > 0 {
		names = options.only
	}
	for _, path := range []*string{&options.list, &options.plugins} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return fmt.Errorf("find the current directory: %w", err)
		}
		*path = absolute
	}
	work, err := os.MkdirTemp("", "bulkhead-conformance-")
	if err != nil {
		return fmt.Errorf("make a temporary directory: %w", err)
	}
	defer os.RemoveAll(work)
	if err := isolate(work); err != nil {
		return fmt.Errorf("set the environment: %w", err)
	}
	verdicts := options.all(names, work)
	var list strings.Builder
	for index, name := range names {
		list.WriteString(strings.TrimSpace(name+"\t"+verdicts[index].word+"\t"+verdicts[index].reason) + "\n")
	}
	// Not to stdout: the engine shows its progress there, whatever it is told.
	if err := os.WriteFile(options.list, []byte(list.String()), 0o644); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}

// isolate keeps the engine from the machine's own set-up, and from the network.
func isolate(work string) error {
	environment := map[string]string{
		// What is generated is compared with nothing.
		"PULUMI_ACCEPT": "1",
		// Else the engine looks for released plugins of these names, for seconds and in vain.
		"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
		"PULUMI_HOME":              filepath.Join(work, "home"),
		"PULUMI_SKIP_UPDATE_CHECK": "true",
	}
	for name, value := range environment {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	http.DefaultTransport = repository{tests.LanguageTestdata}
	return nil
}

// all runs tests, several at once.
func (o options) all(names []string, work string) []verdict {
	verdicts := make([]verdict, len(names))
	one := func(index int) { verdicts[index] = o.one(names[index], filepath.Join(work, names[index])) }
	next := make(chan int)
	var workers sync.WaitGroup
	for range o.jobs {
		workers.Go(func() {
			for index := range next {
				one(index)
			}
		})
	}
	var alone []int
	for index, name := range names {
		if _, translated := inYAML[name]; translated {
			alone = append(alone, index)
		} else {
			next <- index
		}
	}
	close(next)
	workers.Wait()
	// The host for YAML changes the directory of its process.
	for _, index := range alone {
		one(index)
	}
	return verdicts
}

// one runs a test in a directory of its own, with an engine and a language host of its own, so that nothing of one test reaches
// another.
func (o options) one(name, work string) verdict {
	test, known := tests.LanguageTests[name]
	if !known {
		return failed(errors.New("there is no such test"))
	}
	if reason, skipped := skips[name]; skipped {
		return verdict{"skipped", reason}
	}
	var server runner.LanguageTestServer
	started := &running{}
	defer started.stop()
	if !o.native {
		var missing []string
		test.Providers, missing = o.replaced(test.Providers, func() string { return server.Address() }, started)
		if len(missing) > 0 {
			return verdict{"skipped", "no guest for " + strings.Join(missing, ", ")}
		}
	}
	server, err := runner.Start(context.Background(), tests.LanguageTestdata, map[string]tests.LanguageTest{name: test})
	if err != nil {
		return failed(err)
	}
	defer server.Cancel()
	language, host := "pcl", pulumirpc.LanguageRuntimeServer(&interpreted{engine: server.Address()})
	if _, translated := inYAML[name]; translated {
		language, host = "yaml", yaml.NewLanguageHost(server.Address(), "")
	}
	result, err := o.run(name, work, server, language, host)
	switch {
	case err != nil:
	case result.GetSuccess():
		return verdict{"passed", ""}
	default:
		err = errors.New(strings.Join(result.GetMessages(), "\n"))
	}
	if o.verbose {
		fmt.Fprintf(os.Stderr, "--- %s\n%v\n%s\n%s\n", name, err, result.GetStdout(), result.GetStderr())
	}
	return failed(err)
}

// run lets a test server run a test.
func (o options) run(
	name, work string, server runner.LanguageTestServer, language string, host pulumirpc.LanguageRuntimeServer,
) (*testingrpc.RunLanguageTestResponse, error) {
	stop := make(chan bool)
	defer close(stop)
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Cancel: stop, Init: func(service *grpc.Server) error {
		pulumirpc.RegisterLanguageRuntimeServer(service, host)
		return nil
	}})
	if err != nil {
		return nil, err
	}
	overrides, err := override(name, work)
	if err != nil {
		return nil, err
	}
	prepared, err := server.PrepareLanguageTests(context.Background(), &testingrpc.PrepareLanguageTestsRequest{
		LanguagePluginName:   language,
		LanguagePluginTarget: fmt.Sprintf("127.0.0.1:%d", handle.Port),
		TemporaryDirectory:   filepath.Join(work, "run"),
		SnapshotDirectory:    filepath.Join(work, "snapshots"),
		ProgramOverrides:     overrides,
	})
	if err != nil {
		return nil, err
	}
	return server.RunLanguageTest(context.Background(),
		&testingrpc.RunLanguageTestRequest{Token: prepared.GetToken(), Test: name})
}

// replaced puts our plugins in the place of upstream's providers, and says for which packages there is none.
func (o options) replaced(
	providers []func() plugin.Provider, engine func() string, started *running,
) (replaced []func() plugin.Provider, missing []string) {
	for _, provider := range providers {
		itself, err := describe(provider())
		if err != nil {
			missing = append(missing, err.Error())
			continue
		}
		executable := filepath.Join(o.plugins, itself.String(), "pulumi-resource-"+itself.Name)
		if _, err := os.Stat(executable); err != nil {
			missing = append(missing, itself.String())
			continue
		}
		stand := &stand{identity: itself.identity, executable: executable, engine: engine, running: started}
		replaced = append(replaced, func() plugin.Provider { return &substitute{stand: stand} })
	}
	return replaced, missing
}

var spaces = regexp.MustCompile(`\s+`)

// line is a text on one line, without where in upstream's sources it comes from, and cut to what fits into a list.
func line(text string) string {
	if _, message, found := strings.Cut(text, "Error:"); found {
		text = message
	}
	text = strings.TrimSpace(spaces.ReplaceAllString(text, " "))
	if runes := []rune(text); len(runes) > 300 {
		text = string(runes[:300]) + "…"
	}
	return text
}
