package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil/rpcerror"
)

// told is an error as an engine understands it: its code, its message, and the reasons that came beside it.
func told(err error) string {
	var initialisation *plugin.InitError
	if errors.As(err, &initialisation) {
		return fmt.Sprintf("initialisation: %q", initialisation.Reasons)
	}
	if rpc, ok := rpcerror.FromError(err); ok {
		return line(fmt.Sprintf("%s: %s", rpc.Code(), rpc.Message()))
	}
	return line(err.Error())
}

// line keeps a text on one line.
func line(text string) string { return strings.ReplaceAll(text, "\n", "\\n") }

// object writes properties in the order of their names.
func object(properties resource.PropertyMap) string {
	if properties == nil {
		return "none"
	}
	members := make([]string, 0, len(properties))
	for _, name := range properties.StableKeys() {
		members = append(members, fmt.Sprintf("%s: %s", name, value(properties[name])))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// value writes a value so that no two of different kinds look the same.
func value(v resource.PropertyValue) string {
	switch {
	case v.IsNull():
		return "null"
	case v.IsString():
		return fmt.Sprintf("%q", v.StringValue())
	case v.IsArray():
		elements := make([]string, 0, len(v.ArrayValue()))
		for _, element := range v.ArrayValue() {
			elements = append(elements, value(element))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case v.IsObject():
		return object(v.ObjectValue())
	case v.IsSecret():
		return "secret(" + value(v.SecretValue().Element) + ")"
	case v.IsComputed():
		return "unknown"
	case v.IsOutput():
		output := v.OutputValue()
		known, secret := "unknown", ""
		if output.Known {
			known = value(output.Element)
		}
		if output.Secret {
			secret = " secret"
		}
		return fmt.Sprintf("output(%s%s of %v)", known, secret, output.Dependencies)
	case v.IsResourceReference():
		reference := v.ResourceReferenceValue()
		return fmt.Sprintf("resource(%s, %s)", reference.URN, value(reference.ID))
	default:
		return fmt.Sprint(v.V)
	}
}

func failures(failures []plugin.CheckFailure) string {
	texts := make([]string, 0, len(failures))
	for _, failure := range failures {
		texts = append(texts, fmt.Sprintf("%s %s", failure.Property, line(failure.Reason)))
	}
	return strings.Join(texts, "; ")
}

// checked is an answer that has failures, or else properties.
func checked(properties resource.PropertyMap, refused []plugin.CheckFailure) string {
	if len(refused) > 0 {
		return "refused: " + failures(refused)
	}
	return object(properties)
}

func difference(diff plugin.DiffResult) string {
	changes := map[plugin.DiffChanges]string{
		plugin.DiffUnknown: "unknown", plugin.DiffNone: "none", plugin.DiffSome: "some",
	}
	paths := make([]string, 0, len(diff.DetailedDiff))
	for path, one := range diff.DetailedDiff {
		paths = append(paths, fmt.Sprintf("%s %s", path, one.Kind))
	}
	slices.Sort(paths)
	return fmt.Sprintf("changes %s; replacing %v; detailed [%s]", changes[diff.Changes], diff.ReplaceKeys,
		strings.Join(paths, ", "))
}

func dependencies(of map[resource.PropertyKey][]resource.URN) string {
	names := make([]string, 0, len(of))
	for name, urns := range of {
		names = append(names, fmt.Sprintf("%s: %v", name, urns))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
