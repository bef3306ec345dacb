package main

import (
	"embed"
	"os"
	"path"
	"path/filepath"

	testingrpc "github.com/pulumi/pulumi/sdk/v3/proto/go/testing"
)

// written are programs written by hand, in YAML, since nothing of upstream's can run or translate those of the tests.
//
//go:embed programs
var written embed.FS

// override writes the program that takes the place of a test's own, if there is one, into a directory.
func override(test, work string) (map[string]*testingrpc.PrepareLanguageTestsRequest_ProgramOverride, error) {
	text, err := written.ReadFile(path.Join("programs", test, "Pulumi.yaml"))
	if err != nil {
		return nil, nil
	}
	directory := filepath.Join(work, "program")
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(directory, "Pulumi.yaml"), text, 0o644); err != nil {
		return nil, err
	}
	return map[string]*testingrpc.PrepareLanguageTestsRequest_ProgramOverride{test: {Paths: []string{directory}}}, nil
}
