//go:build tools

// Package tools pins the engine that the end-to-end tests run: the Pulumi CLI and its YAML language host,
// by exact version, so that `go build` gives the same two executables on every machine.
package tools

import (
	_ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
	_ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
)
