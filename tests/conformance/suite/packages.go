package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/pkg/v3/testing/pulumi-test-language/tests"
)

// identity is what a package calls itself.
type identity struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (i identity) String() string { return i.Name + "@" + i.Version }

// described is a package as upstream's provider describes it.
type described struct {
	identity
	schema []byte
}

// describe asks a provider what it is. Providers are asked often, so it costs nothing but memory.
func describe(provider plugin.Provider) (described, error) {
	answer, err := provider.GetSchema(context.Background(), plugin.GetSchemaRequest{})
	if err != nil {
		return described{}, fmt.Errorf("get a schema: %w", err)
	}
	var itself described
	if err := json.Unmarshal(answer.Schema, &itself.identity); err != nil {
		return described{}, fmt.Errorf("read a schema: %w", err)
	}
	// A schema may leave its version to the plugin.
	information, err := provider.GetPluginInfo(context.Background())
	if err != nil {
		return described{}, fmt.Errorf("get the version of %s: %w", itself.Name, err)
	}
	if information.Version != nil {
		itself.Version = information.Version.String()
	}
	itself.schema = answer.Schema
	return itself, nil
}

// judged is the names of the tests that are about providers, sorted: those of the second and third level. The first level has no
// providers, and the others are about languages.
func judged() []string {
	var names []string
	for name := range tests.LanguageTests {
		if strings.HasPrefix(name, "l2-") || strings.HasPrefix(name, "l3-") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// writeSchemas writes each package's schema to `NAME@VERSION.json`.
func writeSchemas(directory string) error {
	for _, name := range judged() {
		for _, provider := range tests.LanguageTests[name].Providers {
			itself, err := describe(provider())
			if err != nil {
				return fmt.Errorf("describe a provider of %s: %w", name, err)
			}
			if err := os.WriteFile(filepath.Join(directory, itself.String()+".json"), itself.schema, 0o644); err != nil {
				return fmt.Errorf("write the schema of %s: %w", itself, err)
			}
		}
	}
	return nil
}
