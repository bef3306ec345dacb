package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/blang/semver"

	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
)

type properties = map[string]any

func properly(of properties) resource.PropertyMap { return resource.NewPropertyMapFromMap(of) }

// described asks what a package is.
func (w *walker) described() {
	info, err := w.GetPluginInfo(w.ctx)
	came("GetPluginInfo", fmt.Sprint(info.Version), err)
	schema, err := w.GetSchema(w.ctx, plugin.GetSchemaRequest{})
	came("GetSchema", named(schema.Schema), err)
}

// named is the name and the version in a schema, and how many resources and functions it has.
func named(schema []byte) string {
	var is struct {
		Name, Version        string
		Resources, Functions map[string]any
	}
	if err := json.Unmarshal(schema, &is); err != nil {
		return "no schema: " + err.Error()
	}
	return fmt.Sprintf("%s %s, resources %d, functions %d", is.Name, is.Version, len(is.Resources), len(is.Functions))
}

// configured checks a configuration and gives it.
func (w *walker) configured(configuration resource.PropertyMap) {
	token := tokens.Type("pulumi:providers:" + w.pkg)
	urn, name := urn(token, "explicit"), "explicit"
	given, err := w.CheckConfig(w.ctx, plugin.CheckConfigRequest{
		URN: urn, Name: name, Type: token, News: resource.FromResourcePropertyMap(configuration), AllowUnknowns: true,
	})
	checking := resource.ToResourcePropertyMap(given.Properties)
	came("CheckConfig", checked(checking, given.Failures), err)
	id := resource.ID("an-id")
	_, err = w.Configure(w.ctx, plugin.ConfigureRequest{
		URN: &urn, Name: &name, Type: &token, ID: &id, Inputs: checking,
	})
	came("Configure", nothing, err)
}

func (w *walker) check(token tokens.Type, news resource.PropertyMap) resource.PropertyMap {
	given, err := w.Check(w.ctx, plugin.CheckRequest{
		URN: urn(token, "one"), Name: "one", Type: token, News: news, AllowUnknowns: true,
	})
	came("Check", checked(given.Properties, given.Failures), err)
	return given.Properties
}

func (w *walker) create(token tokens.Type, inputs resource.PropertyMap, preview bool) plugin.CreateResponse {
	made, err := w.Create(w.ctx, plugin.CreateRequest{
		URN: urn(token, "one"), Name: "one", Type: token, Properties: inputs, Preview: preview, Timeout: 30,
	})
	call := "Create"
	if preview {
		call = "Create in a preview"
	}
	if err != nil {
		came(call+fmt.Sprintf(" (status %d, id %q, %s)", made.Status, made.ID, object(made.Properties)), "", err)
	} else {
		came(call, fmt.Sprintf("%q %s", made.ID, object(made.Properties)), nil)
	}
	return made
}

// life is a resource from its check to its end.
func life(w *walker) {
	const token = "notes:index:Page"
	w.described()
	// Nothing before the configuration: the client itself waits for that. What needs none is answered.
	changed, err := w.DiffConfig(w.ctx, plugin.DiffConfigRequest{
		URN: urn("pulumi:providers:notes", "explicit"), Name: "explicit", Type: "pulumi:providers:notes",
		OldInputs: properly(properties{"author": "ada"}), OldOutputs: properly(properties{"author": "ada"}),
		NewInputs: properly(properties{"author": "grace"}), AllowUnknowns: true,
	})
	came("DiffConfig", difference(changed), err)
	configuration := properly(properties{"author": "ada"})
	configuration["passphrase"] = resource.MakeSecret(resource.NewProperty("swordfish"))
	w.configured(configuration)

	w.check(token, properly(properties{"notebook": "Capitals", "heading": properties{"text": "", "level": 9}}))
	inputs := properly(properties{"notebook": "diary", "heading": properties{"text": "monday", "level": 1}})
	inputs["remark"] = resource.MakeSecret(resource.NewProperty("private"))
	inputs["body"] = resource.MakeComputed(resource.NewProperty(""))
	inputs = w.check(token, inputs)
	w.create(token, inputs, true)
	inputs["body"] = resource.NewProperty("it rained")
	made := w.create(token, inputs, false)

	// Resources as an engine has them on record.
	state := made.Properties
	news := inputs.Copy()
	news["body"] = resource.NewProperty("the sun shone")
	diff := func(news resource.PropertyMap, ignored ...string) {
		changed, err := w.Diff(w.ctx, plugin.DiffRequest{
			URN: urn(token, "one"), Name: "one", Type: token, ID: made.ID, OldInputs: inputs, OldOutputs: state,
			NewInputs: news, AllowUnknowns: true, IgnoreChanges: ignored,
		})
		came("Diff", difference(changed), err)
	}
	diff(inputs)
	diff(news)
	diff(news, "body")
	moved := inputs.Copy()
	moved["notebook"] = resource.NewProperty("shared")
	diff(moved)
	for _, preview := range []bool{true, false} {
		updated, err := w.Update(w.ctx, plugin.UpdateRequest{
			URN: urn(token, "one"), Name: "one", Type: token, ID: made.ID, OldInputs: inputs, OldOutputs: state,
			NewInputs: news, Preview: preview, Timeout: 30,
		})
		came("Update", object(updated.Properties), err)
		if !preview {
			inputs, state = news, updated.Properties
		}
	}
	read := func(id resource.ID, inputs, state resource.PropertyMap) {
		found, err := w.Read(w.ctx, plugin.ReadRequest{
			URN: urn(token, "one"), Name: "one", Type: token, ID: id, Inputs: inputs, State: state,
		})
		came("Read", fmt.Sprintf("%q %s, inputs %s", found.ID, object(found.Outputs), object(found.Inputs)), err)
	}
	read(made.ID, inputs, state)
	read("diary/sunday", nil, nil)
	read("lost/sunday", nil, nil)
	_, err = w.Delete(w.ctx, plugin.DeleteRequest{
		URN: urn(token, "one"), Name: "one", Type: token, ID: made.ID, Inputs: inputs, Outputs: state, Timeout: 30,
	})
	came("Delete", nothing, err)

	w.invoke("notes:index:count", properly(properties{"text": "one two three"}))
	w.invoke("notes:index:count", properly(properties{"text": true}))
	w.invoke("notes:index:weigh", nil)
	mapping, err := w.GetMapping(w.ctx, plugin.GetMappingRequest{Key: "terraform"})
	came("GetMapping of a provider without", fmt.Sprintf("%q %q", mapping.Provider, mapping.Data), err)
	mappings, err := w.GetMappings(w.ctx, plugin.GetMappingsRequest{Key: "terraform"})
	came("GetMappings of a provider without", fmt.Sprintf("%q", mappings.Keys), err)
	_, err = w.Parameterize(w.ctx, plugin.ParameterizeRequest{
		Parameters: &plugin.ParameterizeArgs{Args: []string{"x"}},
	})
	came("Parameterize of a provider that takes none", nothing, err)
}

func (w *walker) invoke(token tokens.ModuleMember, arguments resource.PropertyMap) {
	answer, err := w.Invoke(w.ctx, plugin.InvokeRequest{Tok: token, Args: resource.FromResourcePropertyMap(arguments)})
	came("Invoke "+string(token), checked(resource.ToResourcePropertyMap(answer.Properties), answer.Failures), err)
}

// endings are creates that don't end well, and a cancellation.
func endings(w *walker) {
	w.configured(properly(properties{"label": "a"}))
	for _, act := range []string{
		"succeed", "fail", "reject", "partial", "panicAfterCheckpoint", "missingConfiguration", "bug",
	} {
		fmt.Printf("-- %s\n", act)
		w.create("behaviours:index:Creating", properly(properties{"act": act}), false)
	}
	fmt.Println("-- talking")
	w.create("behaviours:index:Running", properly(properties{"act": "return"}), false)
	came("the engine's log has what the guest said", fmt.Sprint(w.hears("begun", 1)), nil)

	fmt.Println("-- cancelled")
	ended := make(chan string)
	go func() {
		_, err := w.Create(w.ctx, plugin.CreateRequest{
			URN: urn("behaviours:index:Running", "slow"), Name: "slow", Type: "behaviours:index:Running",
			Properties: properly(properties{"act": "wait", "amount": 60_000, "announced": true}),
		})
		ended <- told(err)
	}()
	// It says so before it waits, and so did the one before.
	w.hears("begun", 2)
	came("SignalCancellation", nothing, w.SignalCancellation(w.ctx))
	select {
	case how := <-ended:
		came("the create that was cancelled", how, nil)
	case <-time.After(10 * time.Second):
		came("the create that was cancelled", "goes on", nil)
	}
	w.create("behaviours:index:Creating", properly(properties{"act": "succeed"}), false)
}

// hears waits until the provider has said something so many times.
func (w *walker) hears(text string, times int) bool {
	for range 1000 {
		if strings.Count(w.said.String(), text) >= times {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// enumeration is lists and mappings.
func enumeration(w *walker) {
	w.configured(resource.PropertyMap{})
	list := func(query properties, limit, size int64, continuation string) string {
		stream, err := w.List(w.ctx, plugin.ListRequest{
			Token: "catalogue:index:Book", Query: resource.FromResourcePropertyMap(properly(query)), Limit: limit, PageSize: size,
			ContinuationToken: continuation,
		})
		if err != nil {
			came("List", "", err)
			return ""
		}
		var listed []string
		for one, failed := range stream.Items {
			if failed != nil {
				err = failed
				break
			}
			listed = append(listed, fmt.Sprintf("%s %q", one.ID, one.Name))
		}
		came("List", fmt.Sprintf("%s; computed %t, more %t", strings.Join(listed, ", "), stream.Computed,
			stream.ContinuationToken != ""), err)
		return stream.ContinuationToken
	}
	list(properties{"count": 5, "perPage": 2}, 0, 0, "")
	list(properties{"count": 5}, 3, 0, "")
	next := list(properties{"count": 5}, 0, 3, "")
	list(properties{"count": 5}, 0, 3, next)
	list(properties{"act": "fail"}, 0, 0, "")
	list(properties{"act": "no-id"}, 0, 0, "")
	list(properties{"wrong": 1}, 0, 0, "")

	for _, key := range []string{"terraform", "secondary", "none"} {
		mappings, err := w.GetMappings(w.ctx, plugin.GetMappingsRequest{Key: key})
		came("GetMappings "+key, fmt.Sprintf("%q", mappings.Keys), err)
		for _, provider := range append(mappings.Keys, "") {
			mapping, err := w.GetMapping(w.ctx, plugin.GetMappingRequest{Key: key, Provider: provider})
			came(fmt.Sprintf("GetMapping %s %q", key, provider), fmt.Sprintf("%q %s", mapping.Provider, mapping.Data), err)
		}
	}
}

// parameters is a package that a parameter makes.
func parameters(w *walker) {
	w.described()
	made, err := w.Parameterize(w.ctx, plugin.ParameterizeRequest{
		Parameters: &plugin.ParameterizeArgs{Args: []string{"hello", "Hello"}},
	})
	came("Parameterize", fmt.Sprintf("%s %s", made.Name, made.Version), err)
	schema, err := w.GetSchema(w.ctx, plugin.GetSchemaRequest{
		SubpackageName: made.Name, SubpackageVersion: &made.Version,
	})
	came("GetSchema of the sub-package", named(schema.Schema), err)
	other := semver.MustParse("9.9.9")
	_, err = w.GetSchema(w.ctx, plugin.GetSchemaRequest{SubpackageName: "another", SubpackageVersion: &other})
	came("GetSchema of another", nothing, err)
	w.pkg = "hello"
	w.configured(properly(properties{"tone": "loudly"}))
	w.create("hello:index:Hello", w.check("hello:index:Hello", properly(properties{"name": "ada", "times": 2})), false)
	w.invoke("hello:index:sayHello", properly(properties{"name": "grace"}))
}

// components is a component with its children, and methods.
func components(w *walker) {
	w.configured(properly(properties{"domain": "walk.example"}))
	protect := true
	for _, dry := range []bool{true, false} {
		fmt.Printf("-- preview %t\n", dry)
		text := resource.NewProperty(resource.Output{
			Element: resource.NewProperty("hello"), Known: true, Dependencies: []resource.URN{"urn:pulumi:dev::project::a:b:C::first"},
		})
		made, err := w.Construct(w.ctx, plugin.ConstructRequest{
			Info: plugin.ConstructInfo{
				Project: "project", Stack: "dev", Organization: "acme", DryRun: dry, Parallel: 4, MonitorAddress: w.monitor,
				Config: map[config.Key]string{config.MustMakeKey("project", "region"): "west"},
			},
			Type: "site:index:Site", Name: fmt.Sprintf("site-%t", dry),
			Inputs: resource.PropertyMap{"text": text, "pages": resource.NewProperty(2.0)},
			Options: plugin.ConstructOptions{
				Protect:              &protect,
				Dependencies:         []resource.URN{"urn:pulumi:dev::project::a:b:C::second"},
				PropertyDependencies: map[resource.PropertyKey][]resource.URN{"text": {"urn:pulumi:dev::project::a:b:C::first"}},
				CustomTimeouts:       &plugin.CustomTimeouts{Create: "1h30m"},
			},
		})
		came("Construct", fmt.Sprintf("%s %s; depends %s", made.URN, object(resource.ToResourcePropertyMap(made.Outputs)),
			dependencies(made.OutputDependencies)), err)
		if err != nil {
			continue
		}
		answer, err := w.Call(w.ctx, plugin.CallRequest{
			Tok: "site:index:Site/link",
			Args: resource.FromResourcePropertyMap(resource.PropertyMap{
				"__self__": resource.MakeComponentResourceReference(made.URN, ""),
				"path":     resource.NewProperty("/0"),
			}),
			Info: plugin.CallInfo{
				Project: "project", Stack: "dev", DryRun: dry, Parallel: 4, MonitorAddress: w.monitor,
			},
		})
		came("Call", fmt.Sprintf("%s; depends %s", checked(resource.ToResourcePropertyMap(answer.Return), answer.Failures),
			dependencies(answer.ReturnDependencies)), err)
	}
	_, err := w.Construct(w.ctx, plugin.ConstructRequest{
		Info: plugin.ConstructInfo{Project: "project", Stack: "dev", MonitorAddress: w.monitor},
		Type: "site:index:Site", Name: "large",
		Inputs: properly(properties{"text": "hello", "pages": 99}),
	})
	came("Construct with a wrong input", nothing, err)
}
