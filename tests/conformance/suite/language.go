package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	interpreter "github.com/pulumi/pulumi/pkg/v3/pcl/runtime"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/result"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// interpreted is a language host for programs in PCL, the language that the tests are written in. A program is run by upstream's
// interpreter as it stands, where other hosts would first translate it, and leave out what their language can't say.
type interpreted struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	engine string
}

// manifest is the file in a project's directory that lists the packages its program uses.
const manifest = "packages.json"

// used is a package that a program uses.
type used struct {
	Name      string
	Version   string
	Parameter *parameter `json:",omitempty"`
}

// parameter makes a package of another one.
type parameter struct {
	BaseName    string
	BaseVersion string
	Value       []byte
}

func bind(directory, loader string, use func(*pcl.Program) error) error {
	client, err := schema.NewLoaderClient(loader)
	if err != nil {
		return fmt.Errorf("reach the loader of schemas: %w", err)
	}
	defer client.Close()
	program, diagnostics, err := pcl.BindDirectory(
		directory, schema.NewCachedLoader(client), pcl.PreferOutputVersionedInvokes)
	if err != nil {
		return fmt.Errorf("bind the program: %w", err)
	}
	if diagnostics.HasErrors() {
		return fmt.Errorf("bind the program: %w", diagnostics)
	}
	return use(program)
}

// uses lists the packages of a program.
func uses(program *pcl.Program) ([]used, error) {
	var all []used
	for _, reference := range program.PackageReferences() {
		if reference.Name() == "pulumi" {
			continue
		}
		definition, err := reference.Definition()
		if err != nil {
			return nil, fmt.Errorf("load the schema of %s: %w", reference.Name(), err)
		}
		one := used{Name: definition.Name, Version: definition.Version.String()}
		switch {
		case definition.Parameterization != nil:
			base := definition.Parameterization.BasePlugin
			one.Parameter = &parameter{base.Name, base.Version.String(), definition.Parameterization.Parameter}
		case definition.ExtensionParameterization != nil:
			base := definition.ExtensionParameterization.BaseProvider
			one.Parameter = &parameter{base.Name, base.Version.String(), definition.ExtensionParameterization.Parameter}
		}
		all = append(all, one)
	}
	return all, nil
}

// descriptors says of packages what the interpreter registers with the engine.
func descriptors(packages []used) (map[string]*schema.PackageDescriptor, error) {
	all := map[string]*schema.PackageDescriptor{}
	for _, one := range packages {
		version, err := semver.Parse(one.Version)
		if err != nil {
			return nil, err
		}
		descriptor := &schema.PackageDescriptor{Name: one.Name, Version: &version}
		if one.Parameter != nil {
			base, err := semver.Parse(one.Parameter.BaseVersion)
			if err != nil {
				return nil, err
			}
			descriptor = &schema.PackageDescriptor{
				Name: one.Parameter.BaseName, Version: &base,
				Parameterization: &schema.ParameterizationDescriptor{
					Name: one.Name, Version: version, Value: one.Parameter.Value,
				},
			}
		}
		all[one.Name] = descriptor
	}
	return all, nil
}

// GenerateProject copies the program.
func (l *interpreted) GenerateProject(
	_ context.Context, request *pulumirpc.GenerateProjectRequest,
) (*pulumirpc.GenerateProjectResponse, error) {
	var project map[string]any
	if err := json.Unmarshal([]byte(request.GetProject()), &project); err != nil {
		return nil, fmt.Errorf("read the project: %w", err)
	}
	project["runtime"] = "pcl"
	// JSON is YAML.
	if err := writeJSON(filepath.Join(request.GetTargetDirectory(), "Pulumi.yaml"), project); err != nil {
		return nil, err
	}
	target := request.GetTargetDirectory()
	if main, ok := project["main"].(string); ok {
		target = filepath.Join(target, main)
	}
	err := bind(request.GetSourceDirectory(), request.GetLoaderTarget(), func(program *pcl.Program) error {
		packages, err := uses(program)
		if err != nil {
			return err
		}
		return writeJSON(filepath.Join(target, manifest), packages)
	})
	if err != nil {
		return nil, err
	}
	return &pulumirpc.GenerateProjectResponse{}, copyPrograms(request.GetSourceDirectory(), target)
}

// GeneratePackage has nothing to generate: a program in PCL needs no SDK. The tests want a directory with something in it.
func (l *interpreted) GeneratePackage(
	_ context.Context, request *pulumirpc.GeneratePackageRequest,
) (*pulumirpc.GeneratePackageResponse, error) {
	err := os.WriteFile(filepath.Join(request.GetDirectory(), "schema.json"), []byte(request.GetSchema()), 0o644)
	return &pulumirpc.GeneratePackageResponse{}, err
}

// Pack has nothing to pack.
func (l *interpreted) Pack(_ context.Context, request *pulumirpc.PackRequest) (*pulumirpc.PackResponse, error) {
	return &pulumirpc.PackResponse{ArtifactPath: request.GetPackageDirectory()}, nil
}

// InstallDependencies has nothing to install.
func (l *interpreted) InstallDependencies(
	*pulumirpc.InstallDependenciesRequest, grpc.ServerStreamingServer[pulumirpc.InstallDependenciesResponse],
) error {
	return nil
}

// GetProgramDependencies says what GenerateProject found.
func (l *interpreted) GetProgramDependencies(
	_ context.Context, request *pulumirpc.GetProgramDependenciesRequest,
) (*pulumirpc.GetProgramDependenciesResponse, error) {
	packages, err := readPackages(request.GetInfo().GetProgramDirectory())
	response := &pulumirpc.GetProgramDependenciesResponse{}
	for _, one := range packages {
		dependency := &pulumirpc.DependencyInfo{Name: one.Name, Version: one.Version}
		response.Dependencies = append(response.Dependencies, dependency)
	}
	return response, err
}

// GetRequiredPackages says what GenerateProject found.
func (l *interpreted) GetRequiredPackages(
	_ context.Context, request *pulumirpc.GetRequiredPackagesRequest,
) (*pulumirpc.GetRequiredPackagesResponse, error) {
	packages, err := readPackages(request.GetInfo().GetProgramDirectory())
	response := &pulumirpc.GetRequiredPackagesResponse{}
	for _, one := range packages {
		required := &pulumirpc.PackageDependency{Kind: "resource", Name: one.Name, Version: one.Version}
		if one.Parameter != nil {
			required.Name, required.Version = one.Parameter.BaseName, one.Parameter.BaseVersion
			required.Parameterization = &pulumirpc.PackageParameterization{
				Name: one.Name, Version: one.Version, Value: one.Parameter.Value,
			}
		}
		response.Packages = append(response.Packages, required)
	}
	return response, err
}

// Run runs the program.
func (l *interpreted) Run(ctx context.Context, request *pulumirpc.RunRequest) (*pulumirpc.RunResponse, error) {
	info := interpreter.RunInfo{
		Project:        request.GetProject(),
		Stack:          request.GetStack(),
		Organization:   request.GetOrganization(),
		RootDirectory:  request.GetInfo().GetRootDirectory(),
		ProgramDir:     request.GetInfo().GetProgramDirectory(),
		WorkingDir:     request.GetPwd(),
		Config:         request.GetConfig(),
		ConfigSecrets:  request.GetConfigSecretKeys(),
		MonitorAddress: request.GetMonitorAddress(),
		EngineAddress:  l.engine,
		LoaderAddress:  request.GetLoaderTarget(),
		DryRun:         request.GetDryRun(),
		Parallel:       request.GetParallel(),
	}
	err := bind(info.ProgramDir, info.LoaderAddress, func(program *pcl.Program) error {
		packages, err := uses(program)
		if err != nil {
			return err
		}
		info.PackageDescriptors, err = descriptors(packages)
		if err != nil {
			return err
		}
		return interpreter.NewInterpreter(program, info).Run(ctx)
	})
	switch {
	case err == nil:
		return &pulumirpc.RunResponse{}, nil
	case result.IsBail(err):
		return &pulumirpc.RunResponse{Bail: true}, nil
	default:
		return &pulumirpc.RunResponse{Error: err.Error()}, nil
	}
}

// GetPluginInfo says that there is nothing to say.
func (l *interpreted) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{}, nil
}

func writeJSON(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func readPackages(directory string) ([]used, error) {
	text, err := os.ReadFile(filepath.Join(directory, manifest))
	if err != nil {
		return nil, err
	}
	var packages []used
	return packages, json.Unmarshal(text, &packages)
}

// copyPrograms copies the files of a program; everything else is copied by the tests.
func copyPrograms(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".pp") {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
}

var _ plugin.Provider = (*substitute)(nil)
