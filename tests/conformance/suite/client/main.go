// Command client walks providers through their lives as an engine does, with the client that upstream's engine uses.
//
//	client PLUGINS MONITOR
//	client schemas FILE...
//
// The first starts the plugin of each package (PLUGINS/NAME/pulumi-resource-NAME), calls every method that an engine has a name for, and writes
// what came of each to stdout, a line a call. MONITOR is the address of a resource monitor, for components. Nothing here knows
// what should come. The second holds schemas to upstream's metaschema, and writes a line a file too.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "schemas" {
		for _, path := range os.Args[2:] {
			came(filepath.Base(path), "fits", fits(path))
		}
		return
	}
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "error: failed to understand the command line: say `client PLUGINS MONITOR`, or `client schemas FILE...`")
		os.Exit(1)
	}
	for _, walk := range []struct {
		pkg  string
		walk func(*walker)
	}{
		{"notes", life},
		{"behaviours", endings},
		{"catalogue", enumeration},
		{"greeter", parameters},
		{"site", components},
	} {
		if err := through(walk.pkg, os.Args[1], os.Args[2], walk.walk); err != nil {
			fmt.Fprintf(os.Stderr, "error: failed to walk through %s: %v\n", walk.pkg, err)
			os.Exit(1)
		}
	}
}

// fits holds a schema to the metaschema.
func fits(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var raw any
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	return schema.MetaSchema.Validate(raw)
}

// walker is a provider, and the engine that it talks to.
type walker struct {
	plugin.Provider
	ctx     context.Context
	pkg     string
	monitor string
	said    *said
}

// through starts a plugin, does something with it, and closes it.
func through(pkg, plugins, monitor string, walk func(*walker)) error {
	ctx := context.Background()
	heard := &said{}
	sink := diag.DefaultSink(heard, heard, diag.FormatOptions{Color: colors.Never, Debug: true})
	host := deploytest.NewPluginHost(sink, sink, nil)
	defer host.Close()
	directory := filepath.Join(plugins, pkg)
	engine, err := plugin.NewContextWithHost(ctx, sink, sink, host, directory, directory, nil)
	if err != nil {
		return err
	}
	defer engine.Close()
	provider, err := plugin.NewProviderFromPath(host, engine, filepath.Join(directory, "pulumi-resource-"+pkg))
	if err != nil {
		return err
	}
	fmt.Printf("== %s\n", pkg)
	walk(&walker{Provider: provider, ctx: ctx, pkg: pkg, monitor: monitor, said: heard})
	came("Close", nothing, provider.Close())
	return nil
}

// said is what a provider said to its engine.
type said struct {
	lock sync.Mutex
	text []byte
}

func (s *said) Write(text []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.text = append(s.text, text...)
	return len(text), nil
}

func (s *said) String() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return string(s.text)
}

const nothing = "done"

// came writes what came of a call.
func came(call string, answer string, err error) {
	if err != nil {
		answer = "failed: " + told(err)
	}
	fmt.Printf("%s: %s\n", call, answer)
}

func urn(token tokens.Type, name string) resource.URN {
	return resource.NewURN("dev", "project", "", token, name)
}
