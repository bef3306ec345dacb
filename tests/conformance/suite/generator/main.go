// Command generator stands in for the hosts of Node.js and Python where the CLI asks one to write the SDK of a package. Those hosts are in no
// registry of modules; the generators that they call are, and are called here in the same way. Which of them is meant is said by the
// name of the executable, `pulumi-language-nodejs` or `pulumi-language-python`. Programs aren't run.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

func main() {
	if err := serve(filepath.Base(os.Args[0])); err != nil {
		fmt.Fprintf(os.Stderr, "error: failed to serve: %v\n", err)
		os.Exit(1)
	}
}

func serve(called string) error {
	language := &generator{called: called}
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, language)
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	return <-handle.Done
}

type generator struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	called string
}

func (g *generator) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "0.0.0"}, nil
}

// GeneratePackage writes an SDK into a directory.
func (g *generator) GeneratePackage(
	_ context.Context, request *pulumirpc.GeneratePackageRequest,
) (*pulumirpc.GeneratePackageResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(request.Schema), &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{AllowDanglingReferences: true})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	files, err := g.files(pkg, request, loader)
	if err != nil {
		return nil, err
	}
	for name, contents := range files {
		path := filepath.Join(request.Directory, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, contents, 0o600); err != nil {
			return nil, err
		}
	}
	return &pulumirpc.GeneratePackageResponse{}, nil
}

func (g *generator) files(
	pkg *schema.Package, request *pulumirpc.GeneratePackageRequest, loader schema.ReferenceLoader,
) (map[string][]byte, error) {
	switch strings.TrimPrefix(g.called, "pulumi-language-") {
	case "nodejs":
		return nodejs.GeneratePackage(
			g.called, pkg, request.ExtraFiles, request.LocalDependencies, request.Local, loader)
	case "python":
		return python.GeneratePackage(g.called, pkg, request.ExtraFiles, loader)
	default:
		return nil, fmt.Errorf("write an SDK: %s is for no language", g.called)
	}
}
