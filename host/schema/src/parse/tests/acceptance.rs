//! What is a package schema and what isn't: everything here was held against what upstream's own reader says.

use super::*;

/// The problems of a package called `p` with these members.
fn told(members: Json) -> Vec<String> {
    let mut schema = members;
    if schema.get("name").is_none() {
        schema["name"] = json!("p");
    }
    problems(&schema)
}

fn resource(members: Json) -> Json {
    json!({ "resources": { "p:index:R": members } })
}

fn output(property: Json) -> Json {
    resource(json!({ "properties": { "a": property } }))
}

fn input(property: Json) -> Json {
    resource(json!({ "inputProperties": { "a": property } }))
}

#[test]
fn what_upstream_accepts_is_accepted() {
    let format = json!({ "moduleFormat": "(.*)(?:/[^/]*)" });
    let object = json!({ "p:a:C": { "type": "object" }, "p:a/b:C": { "type": "object" } });
    let with_types = |property: Json| {
        let mut schema = output(property);
        schema["types"] = object.clone();
        schema
    };
    for schema in [
        json!({ "resources": { "p:index/foo:Foo": {} }, "meta": format }),
        json!({ "allowedPackageNames": ["q"], "resources": { "q:index:R": {} } }),
        json!({ "functions": { "pulumi:providers:p/x": {} } }),
        json!({ "resources": { "p:a/foo:Foo": {}, "p:b/foo:Foo": {}, "p:index/a2:A2": {} }, "meta": format }),
        json!({ "config": { "variables": { "version": { "type": "string" } } } }),
        json!({ "dependencies": [{ "name": "q", "version": "1.0.0" }, { "name": "r" }] }),
        json!({ "parameterization": { "baseProvider": { "name": "q", "version": "1.0.0" }, "parameter": "aGk=" } }),
        json!({ "extensionParameterization": { "baseProvider": { "name": "q", "version": "1.0.0" }, "parameter": "" } }),
        json!({ "extensionParameterization": { "parameter": "", "baseProvider": {
            "name": "q", "version": "1.0.0",
            "parameterization": { "basePlugin": { "name": "r", "version": "2.0.0" }, "parameter": "aGk=" },
        } } }),
        json!({ "//": "comments are JSON too" }),
        json!({ "functions": { "p:index:f": { "outputs": {} }, "p:index:g": { "outputs": { "properties": {} } },
            "p:index:h": { "outputs": { "plain": true, "properties": { "a": { "type": "string" } } } } } }),
        // A type may contain itself where a value can end.
        json!({ "types": { "p:index:A": { "type": "object", "required": ["list", "map"], "properties": {
            "list": { "type": "array", "items": { "$ref": "#/types/p:index:A" } },
            "map": { "type": "object", "additionalProperties": { "$ref": "#/types/p:index:A" } },
            "optional": { "$ref": "#/types/p:index:A" },
        } } } }),
        json!({ "types": { "p:index:A": { "type": "object", "enum": [{ "value": "a" }] } } }),
        json!({ "types": { "p:index:A": { "type": "object", "enum": null }, "p:index:B": { "type": "object", "enum": [] } },
            "resources": { "p:index:R": { "properties": {
                "a": { "$ref": "#/types/p:index:A" }, "b": { "$ref": "#/types/p:index:B" } } } } }),
        json!({ "version": "1.2.3+build", "types": object, "resources": { "p:index:R": { "properties": {
            "a": { "$ref": "/p/v1.2.3/schema.json#/types/p:a:C" },
            "b": { "$ref": "/p/v1.2.3+other/schema.json#/types/p:a:C" } } } } }),
        with_types(json!({ "$ref": "#/types/p:a%2Fb:C" })),
        with_types(json!({ "$ref": "#/types/p:a/b:C" })),
        with_types(json!({ "$ref": "#types/p:a:C", "type": "object" })),
        with_types(json!({ "$ref": "#/types/p:a:C/" })),
        with_types(json!({ "$ref": "#//types/./p:a//b:C" })),
        with_types(json!({ "$ref": "#/resources/../types/p:a:C" })),
        with_types(json!({ "$ref": "/p/v1.2.3/schema.json?raw=1#/types/p:a:C" })),
        with_types(json!({ "$ref": "//example.com/p/v1.2.3/schema.json#/types/p:a:C" })),
        with_types(json!({ "$ref": "/p/v1.2.3/schema.json#/types/p:a:C" })),
        output(json!({ "$ref": "#/provider" })),
        output(json!({ "$ref": "#/resources/pulumi:providers:p" })),
        output(json!({ "$ref": "https://example.com/q/v1/schema.json#/types/q:a:C" })),
        output(json!({ "type": null, "$ref": "pulumi.json#/Any" })),
        output(json!({ "type": "object", "properties": { "x": 1 } })),
        output(json!({
            "oneOf": [{ "type": "string" }, { "type": "number" }],
            "discriminator": { "propertyName": "k", "mapping": { "a": "#/types/p:x:Nothing" } },
        })),
        input(json!({ "type": "integer", "default": -2_147_483_648_i64 })),
        input(json!({ "type": "number", "default": 1 })),
        input(json!({ "type": "string", "default": null })),
        input(json!({ "$ref": "/q/v1.0.0/schema.json#/types/q:index:E", "default": "a" })),
        input(json!({ "$ref": "/q/v1.0.0/schema.json#/types/q:index:E", "default": 1 })),
        input(json!({ "default": true, "oneOf": [
            { "type": "string" }, { "$ref": "/q/v1.0.0/schema.json#/types/q:index:E" }] })),
        output(json!({ "oneOf": [{ "type": "string" }, { "type": "number" }], "discriminator": { "propertyName": "k",
            "mapping": { "a": "A", "b": "index:A", "c": "p:index:Zed", "d": "#/components/schemas/A", "e": "",
                "f": "/q/v1.0.0/schema.json#/types/q:a:C" } } })),
        resource(json!({ "properties": { "grüße": { "type": "string" }, "क्षि": { "type": "string" } } })),
        input(json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }], "default": 1 })),
        resource(
            json!({ "required": null, "properties": null, "aliases": ["p:index:Old", { "type": "p:index:Older" }] }),
        ),
        output(json!({ "type": "string", "language": { "anything": [1] } })),
    ] {
        assert_eq!(told(schema.clone()), [""; 0], "{schema}");
    }
}

/// Upstream's binder looks for it, and crashes.
#[test]
fn a_package_that_extends_another_refers_to_no_provider_of_its_own() {
    let extension = json!({ "baseProvider": { "name": "q", "version": "1.0.0" }, "parameter": "" });
    let told_of = |target: &str| {
        let mut schema = output(json!({ "$ref": target }));
        schema["extensionParameterization"] = extension.clone();
        told(schema)
    };
    for target in ["#/provider", "#/resources/pulumi:providers:p", "/p/v1.0.0/schema.json#/provider"] {
        let expected = "a package that extends another has no provider of its own";
        assert_eq!(told_of(target), [format!("#/resources/p:index:R/properties/a/$ref: {expected}")], "{target}");
    }
    assert_eq!(
        told_of("/q/v1.0.0/schema.json#/provider"),
        [""; 0],
        "which it has in common with the one that it extends"
    );
}

/// With what engines make nothing of, a package can't be added to any program.
#[test]
fn what_is_said_of_other_packages_is_what_engines_read() {
    let base = |version: &str| json!({ "name": "q", "version": version });
    let dependency = |members: Json| {
        let mut dependency = base("1.0.0");
        dependency.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        json!({ "dependencies": [dependency] })
    };
    let made = |version: &str, value: Json| json!({ "name": "r", "version": version, "value": value });
    let given =
        "a package is given by its `name` and a semantic `version`; hint: write 1.0.0: engines read no `v` there";
    for (schema, expected) in [
        (dependency(json!({ "parameterization": made("1.0.0", json!("aGk=")) })), ""),
        (dependency(json!({ "parameterization": made("1.0.0", json!("")) })), ""),
        (dependency(json!({ "version": "v1.0.0" })), &format!("#/dependencies/0: {given}")),
        (
            dependency(json!({ "parameterization": made("v1.0.0", json!("aGk=")) })),
            &format!("#/dependencies/0/parameterization: {given}"),
        ),
        (
            dependency(json!({ "parameterization": made("1.0.0", json!(null)) })),
            "#/dependencies/0/parameterization: the `value` is missing",
        ),
        (
            dependency(json!({ "parameterization": made("1.0.0", json!("!!")) })),
            "#/dependencies/0/parameterization: the `value` must be in Base64",
        ),
        (dependency(json!({ "DownloadURL": 5 })), "#/dependencies/0/DownloadURL: expected a string, got a number"),
        (
            json!({ "parameterization": { "baseProvider": base("1.0.0"), "parameter": null } }),
            "#/parameterization: the `parameter` is missing",
        ),
        (
            json!({ "parameterization": { "baseProvider": base("v1.0.0"), "parameter": "" } }),
            &format!("#/parameterization/baseProvider: {given}"),
        ),
        (
            json!({ "extensionParameterization": { "baseProvider": base("v1.0.0") } }),
            &format!("#/extensionParameterization/baseProvider: {given}"),
        ),
        (
            json!({ "extensionParameterization": { "baseProvider": {
                "name": "q", "version": "1.0.0", "parameterization": { "basePlugin": base("v1.0.0") } } } }),
            &format!("#/extensionParameterization/baseProvider/parameterization/basePlugin: {given}"),
        ),
    ] {
        let expected: Vec<&str> = [expected].into_iter().filter(|text| !text.is_empty()).collect();
        assert_eq!(told(schema.clone()), expected, "{schema}");
    }
}

#[test]
fn an_empty_text_says_as_little_as_none() {
    let union = json!([{ "type": "string" }, { "type": "number" }]);
    for (empty, without) in [
        (json!({ "version": "" }), json!({})),
        (json!({ "namespace": "" }), json!({})),
        (json!({ "meta": { "moduleFormat": "" } }), json!({ "meta": {} })),
        (output(json!({ "$ref": "", "type": "integer" })), output(json!({ "type": "integer" }))),
        (output(json!({ "$ref": "pulumi.json#/Any", "type": "" })), output(json!({ "$ref": "pulumi.json#/Any" }))),
        (output(json!({ "$ref": "pulumi.json#/Any", "oneOf": [] })), output(json!({ "$ref": "pulumi.json#/Any" }))),
        (output(json!({ "oneOf": union, "type": "" })), output(json!({ "oneOf": union }))),
        (output(json!({ "type": "string", "deprecationMessage": "" })), output(json!({ "type": "string" }))),
        (resource(json!({ "deprecationMessage": "", "aliases": ["", { "type": "" }] })), resource(json!({}))),
        (
            json!({ "functions": { "p:index:f": { "outputs": { "$ref": "", "type": "string" } } } }),
            json!({ "functions": { "p:index:f": { "outputs": { "type": "string" } } } }),
        ),
        (
            json!({ "types": { "p:index:E": { "type": "string", "enum": [{ "value": "", "name": "" }] } } }),
            json!({ "types": { "p:index:E": { "type": "string", "enum": [{ "value": "" }] } } }),
        ),
    ] {
        let read = |mut schema: Json| {
            schema["name"] = json!("p");
            parse(&schema).unwrap_or_else(|error| panic!("{schema}: {error}"))
        };
        assert_eq!(read(empty.clone()), read(without), "{empty}");
    }
    // Where anything may be given, an empty text is a value.
    let mut schema = input(json!({ "type": "string", "default": "" }));
    schema["name"] = json!("p");
    let package = parse(&schema).unwrap();
    assert_eq!(package.resource("p:index:R").unwrap().inputs.properties["a"].default, Some("".into()));
}

#[test]
fn what_upstream_refuses_is_refused() {
    let place = "#/resources/p:index:R";
    let property = |place: &str| format!("#/resources/p:index:R/{place}/a");
    let no_value = "can't be assigned to the property's type; hint: only booleans, numbers and strings can be given, and \
                    only to a property of their type";
    let wide = "a number can't be assigned to the property's type; hint: integers in a schema have 32 bits, as in the \
                languages of programs";
    let missing = "the type is missing; hint: give it a `type`, a `$ref` or a `oneOf`";
    let another = "hint: it must start with the package's name, or with one in `allowedPackageNames`";
    let same = "hint: tokens differ in more than case and the file of their module";
    let format = json!({ "moduleFormat": "(.*)(?:/[^/]*)" });
    let (inputs, outputs) = (property("inputProperties"), property("properties"));
    let enumeration = json!({ "p:index:E": { "type": "string", "enum": [{ "value": "a" }] } });
    let with_enum = |property: Json| {
        let mut schema = input(property);
        schema["types"] = enumeration.clone();
        schema
    };
    for (schema, expected) in [
        (json!({ "name": "pulumi" }), "#/name: 'pulumi' is a reserved name".to_owned()),
        (json!({ "name": "input" }), "#/name: 'input' is a reserved name".to_owned()),
        (
            json!({ "resources": { "q:index:R": {} } }),
            format!("#/resources/q:index:R: the token is of another package, 'q'; {another}"),
        ),
        (
            json!({ "resources": { "pulumi:providers:p": {} } }),
            format!("#/resources/pulumi:providers:p: the token is of another package, 'pulumi'; {another}"),
        ),
        (
            json!({ "resources": { "p:index:provider": {} } }),
            "#/resources/p:index:provider: 'provider' is a reserved name".to_owned(),
        ),
        (json!({ "functions": { "p::Provider": {} } }), "#/functions/p::Provider: 'Provider' is a reserved name".to_owned()),
        (json!({ "functions": { "p:a:pulumi": {} } }), "#/functions/p:a:pulumi: 'pulumi' is a reserved name".to_owned()),
        (
            json!({ "resources": { "p:index/foo:Foo": {} } }),
            "#/resources/p:index~1foo:Foo: there are no modules inside of the module `index`".to_owned(),
        ),
        (
            json!({ "resources": { "p:index:Foo": {}, "p:index:foo": {} } }),
            format!("#/resources/p:index:foo: the token is the same as 'p:index:Foo' to programs; {same}"),
        ),
        (
            json!({ "resources": { "p:index:Foo": {} }, "functions": { "p:index:foo": {} } }),
            format!("#/functions/p:index:foo: the token is the same as 'p:index:Foo' to programs; {same}"),
        ),
        (
            json!({ "resources": { "p:a/b:Foo": {}, "p:a/c:Foo": {} }, "meta": format }),
            format!("#/resources/p:a~1c:Foo: the token is the same as 'p:a/b:Foo' to programs; {same}"),
        ),
        (
            json!({ "resources": { "p:index:A": {}, "p:A:B": {} } }),
            "#/resources/p:index:A: the token collides with the module 'a'".to_owned(),
        ),
        (json!({ "meta": { "supportPack": true } }), "#/meta: a package that supports `pack` must have a `version`".to_owned()),
        (json!({ "keywords": "x" }), "#/keywords: expected an array, got a string".to_owned()),
        (
            json!({ "config": { "variables": {}, "defaults": ["x"] } }),
            "#/config/defaults: there is no property 'x' to be required".to_owned(),
        ),
        (
            json!({ "dependencies": [{ "version": "1.0.0" }] }),
            "#/dependencies/0: a package is given by its `name` and a semantic `version`".to_owned(),
        ),
        (
            json!({ "parameterization": { "parameter": "!!" , "baseProvider": { "name": "q", "version": "1.0.0" } } }),
            "#/parameterization: the `parameter` must be in Base64".to_owned(),
        ),
        (
            json!({
                "parameterization": { "baseProvider": { "name": "q", "version": "1.0.0" }, "parameter": "" },
                "extensionParameterization": { "baseProvider": { "name": "q", "version": "1.0.0" } },
            }),
            "#: a package has `parameterization` or `extensionParameterization`, not both; hint: keep `parameterization` if \
             it replaces the provider's package, the other if it extends it"
                .to_owned(),
        ),
        (
            json!({ "extensionParameterization": { "baseProvider": { "name": "q", "version": "1.0.0" } }, "provider": {} }),
            "#/provider: a package that extends another has no provider of its own".to_owned(),
        ),
        (
            json!({ "provider": { "inputProperties": { "version": { "type": "string" } } } }),
            "#/provider/inputProperties/version: 'version' is a reserved name here: engines put the provider's version there"
                .to_owned(),
        ),
        (
            json!({ "types": { "p:index:A": {
                "type": "object", "properties": { "b": { "$ref": "#/types/p:index:B" } }, "required": ["b"] },
                "p:index:B": { "type": "object", "properties": { "a": { "$ref": "#/types/p:index:A" } }, "required": ["a"] } } }),
            "#/types/p:index:A: no value could ever end: 'p:index:A' requires 'p:index:B' requires itself; hint: make one of \
             the properties optional"
                .to_owned(),
        ),
        (json!({ "types": { "p:index:A": { "type": "string", "enum": [] } } }), "#/types/p:index:A/enum: an enum must list its values".to_owned()),
        (output(json!({ "$ref": "" })), format!("{outputs}: {missing}")),
        (json!({ "types": { "p:index:A": null } }), "#/types: type 'p:index:A' is null".to_owned()),
        (json!({ "types": { "p:index:A": { "type": "object", "enum": "a" } } }), "#/types/p:index:A/enum: expected an array, got a string".to_owned()),
        (json!({ "types": { "p:index:A": { "type": "object", "plain": true } } }), "#/types/p:index:A/plain: expected an array, got a boolean".to_owned()),
        (
            json!({ "types": { "p:index:A": { "type": "string", "enum": [{ "value": "a", "description": 1 }] } } }),
            "#/types/p:index:A/enum/0/description: expected a string, got a number".to_owned(),
        ),
        (output(json!({ "$ref": "pulumi.json#/Any", "type": 1 })), format!("{outputs}/type: expected a string, got a number")),
        (output(json!({ "type": "string", "discriminator": 1 })), format!("{outputs}/discriminator: expected an object, got a number")),
        (output(json!({ "type": "string", "discriminator": { "propertyName": 1 } })), format!("{outputs}/discriminator/propertyName: expected a string, got a number")),
        (output(json!({ "type": "string", "discriminator": { "mapping": 5 } })), format!("{outputs}/discriminator/mapping: expected an object, got a number")),
        (output(json!({ "type": "string", "discriminator": { "mapping": { "a": 5 } } })), format!("{outputs}/discriminator/mapping/a: expected a string, got a number")),
        (input(json!({ "type": "string", "defaultInfo": { "environment": ["A"], "language": 5 } })), format!("{inputs}/defaultInfo/language: expected an object, got a number")),
        (json!({ "functions": { "p:index:f": { "outputs": { "type": "string", "plain": "x" } } } }), "#/functions/p:index:f/outputs/plain: expected a boolean, got a string".to_owned()),
        (
            output(json!({ "type": "array", "items": { "type": "string", "plain": 1 } })),
            format!("{outputs}/items/plain: expected a boolean, got a number"),
        ),
        (json!({ "functions": { "p:index:f": { "inputs": { "description": 1 } } } }), "#/functions/p:index:f/inputs/description: expected a string, got a number".to_owned()),
        (json!({ "functions": { "p:index:f": { "inputs": { "language": "x" } } } }), "#/functions/p:index:f/inputs/language: expected an object, got a string".to_owned()),
        (json!({ "functions": { "p:index:f": { "inputs": { "overlaySupportedLanguages": 1 } } } }), "#/functions/p:index:f/inputs/overlaySupportedLanguages: expected an array, got a number".to_owned()),
        (json!({ "functions": { "p:index:f": { "outputs": { "properties": {}, "isOverlay": "x" } } } }), "#/functions/p:index:f/outputs/isOverlay: expected a boolean, got a string".to_owned()),
        (json!({ "types": { "p:index:A": { "type": "string", "enum": [{ "value": "a" }], "plain": 1 } } }), "#/types/p:index:A/plain: expected an array, got a number".to_owned()),
        (json!({ "types": { "p:index:A": { "type": "string", "enum": [{ "value": "a" }], "properties": { "b": 1 } } } }), "#/types/p:index:A/properties/b: expected an object, got a number".to_owned()),
        (resource(json!({ "methods": { "m": null } })), format!("{place}/methods: method 'm' is null")),
        (json!({ "functions": { "p:index:f": { "outputs": { "description": "x" } } } }), format!("#/functions/p:index:f/outputs: {missing}")),
        (output(json!({ "type": "string", "oneOf": [] })), format!("{outputs}/oneOf: a union must list at least two types")),
        (resource(json!({ "properties": { "a b": { "type": "string" } } })), format!("{place}/properties/a b: a property's name has neither spaces nor control characters")),
        (resource(json!({ "inputProperties": { "a.\\": { "type": "string" } } })), format!("{place}/inputProperties/a.\\: no path can be written with a property's name that has a dot or a bracket and ends in a backslash")),
        (resource(json!({ "properties": { "a\u{200b}": { "type": "string" } } })), format!("{place}/properties/a\u{200b}: a property's name has neither spaces nor control characters")),
        (json!({ "types": { "p:index:\u{200b}A": { "type": "object" } } }), "#/types/p:index:\u{200b}A: a token has neither spaces nor characters that nobody sees".to_owned()),
        (json!({ "resources": { "p: index:A": {} } }), "#/resources/p: index:A: a token has neither spaces nor characters that nobody sees".to_owned()),
        (json!({ "functions": { "p:index:\u{ad}a": {} } }), "#/functions/p:index:\u{ad}a: a token has neither spaces nor characters that nobody sees".to_owned()),
        (input(json!({ "$ref": "/q/v1.0.0/schema.json#/types/q:index:E", "default": [] })), format!("{inputs}/default: an array {no_value}")),
        (
            json!({ "extensionParameterization": { "parameter": "", "baseProvider": {
                "name": "q", "version": "1.0.0", "parameterization": { "parameter": "aGk=" } } } }),
            "#/extensionParameterization/baseProvider/parameterization: a provider that a parameter made must have a `basePlugin`"
                .to_owned(),
        ),
        (
            json!({ "parameterization": { "parameter": "", "baseProvider": {
                "name": "q", "version": "1.0.0", "parameterization": {} } } }),
            "#/parameterization/baseProvider/parameterization: unknown member 'parameterization'".to_owned(),
        ),
        (resource(json!({ "properties": { "pulumi": { "type": "string" } } })), format!("{place}/properties/pulumi: 'pulumi' is a reserved name")),
        (resource(json!({ "properties": { "a": null } })), format!("{place}/properties: property 'a' is null")),
        (resource(json!({ "stateInputs": { "properties": { "id": { "type": "string" } } } })), format!("{place}/stateInputs: 'id' is a reserved name here: it is always given")),
        (resource(json!({ "plain": ["a"], "properties": { "a": { "type": "string" } } })), format!("{place}/plain: a list of plain properties isn't read any more; hint: say `plain` of each property's type")),
        (resource(json!({ "isOverlay": "x" })), format!("{place}/isOverlay: expected a boolean, got a string")),
        (resource(json!({ "overlaySupportedLanguages": ["cobol"] })), format!("{place}/overlaySupportedLanguages: there are nodejs, python, go, csharp, java and yaml")),
        (input(json!({ "type": "integer", "default": 3_000_000_000_i64 })), format!("{inputs}/default: {wide}")),
        (input(json!({ "type": "integer", "const": -2_147_483_649_i64 })), format!("{inputs}/const: {wide}")),
        (input(json!({ "$ref": "pulumi.json#/Any", "default": "x" })), format!("{inputs}/default: a string {no_value}")),
        (input(json!({ "$ref": "pulumi.json#/Json", "default": "{}" })), format!("{inputs}/default: a string {no_value}")),
        (input(json!({ "oneOf": [{ "type": "string" }, { "type": "number" }], "const": "a" })), format!("{inputs}/const: a string {no_value}")),
        (input(json!({ "type": "number", "oneOf": [{ "type": "string" }, { "type": "number" }], "default": "a" })), format!("{inputs}/default: a string {no_value}")),
        (with_enum(json!({ "$ref": "#/types/p:index:E", "const": "a" })), format!("{inputs}/const: a string {no_value}")),
        (output(json!({ "$ref": "/q/vx/schema.json#/types/q:a:C" })), format!("{outputs}/$ref: invalid reference '/q/vx/schema.json'; hint: a type of another package is /PACKAGE/vX.Y.Z/schema.json#/types/TOKEN")),
        (output(json!({ "$ref": "/q/v1.0.0/schema.json#/types" })), format!("{outputs}/$ref: invalid reference '/q/v1.0.0/schema.json'; hint: a type of another package is /PACKAGE/vX.Y.Z/schema.json#/types/TOKEN")),
        (output(json!({ "$ref": "#/types/../p:a:C" })), format!("{outputs}/$ref: invalid reference; hint: a reference is #/types/TOKEN, #/resources/TOKEN or #/provider")),
        (output(json!({ "type": "string", "language": 1 })), format!("{outputs}/language: expected an object, got a number")),
    ] {
        assert_eq!(told(schema.clone()), [expected], "{schema}");
    }
}

#[test]
fn a_method_says_whose_it_is() {
    let schema = |token: &str, inputs: Json, properties: Json| {
        json!({
            "resources": { "p:index:R": { "methods": { "m": token }, "properties": properties } },
            "functions": { token: { "inputs": { "properties": inputs } } },
        })
    };
    let itself = json!({ "$ref": "#/resources/p:index:R" });
    let place = "#/resources/p:index:R/methods/m: ";
    for (token, inputs, properties, expected) in [
        ("p:index:R/m", json!({ "__self__": itself, "a": { "type": "string" } }), json!({}), ""),
        (
            "p:index:R/m",
            json!({ "a": { "type": "string" } }),
            json!({}),
            "function 'p:index:R/m' isn't a method; hint: the first of its inputs must be `__self__`, the resource that it is \
             called on",
        ),
        (
            "p:index:R/m",
            json!({ "__self__": itself, "A": { "type": "string" } }),
            json!({}),
            "function 'p:index:R/m' isn't a method; hint: the first of its inputs must be `__self__`, the resource that it is \
             called on",
        ),
        (
            "p:index:S/m",
            json!({ "__self__": itself }),
            json!({}),
            "function 'p:index:S/m' is of another resource; hint: its token must be p:index:R/NAME",
        ),
        (
            "p:index:R/m",
            json!({ "__self__": itself }),
            json!({ "m": { "type": "string" } }),
            "there is a property of the same name",
        ),
    ] {
        let expected: Vec<String> =
            [expected].iter().filter(|text| !text.is_empty()).map(|text| format!("{place}{text}")).collect();
        assert_eq!(told(schema(token, inputs, properties)), expected);
    }
    let mut ordered = schema("p:index:R/m", json!({ "__self__": itself, "A": { "type": "string" } }), json!({}));
    ordered["functions"]["p:index:R/m"]["multiArgumentInputs"] = json!(["__self__", "A"]);
    assert_eq!(told(ordered.clone()), [""; 0]);
    ordered["functions"]["p:index:R/m"]["multiArgumentInputs"] = json!(["A", "__self__"]);
    assert_eq!(told(ordered).len(), 1);
    let mut twice = schema("p:index:R/m", json!({ "__self__": itself }), json!({}));
    twice["resources"]["p:index:R"]["methods"]["n"] = json!("p:index:R/m");
    assert_eq!(told(twice), ["#/resources/p:index:R/methods/n: function 'p:index:R/m' is a method already"]);
}

#[test]
fn older_spellings_are_accepted_and_reported() {
    let package = parse(&json!({
        "name": "p",
        "pluginDownloadUrl": "u",
        "meta": { "moduleFormat": ".*" },
        "config": { "variables": { "endpoint": { "type": "string" } }, "required": ["endpoint"] },
        "types": { "p:index:O": { "properties": {} } },
        "resources": { "p:index:R": {
            "aliases": [{ "name": "n", "project": "q", "type": "p:index:Old" }],
            "properties": { "id": { "type": "string" }, "p": { "$ref": "#/resources/pulumi:providers:p" } },
        } },
        "functions": { "p:index:f": { "returnType": 5 } },
    }))
    .unwrap();
    insta::assert_snapshot!(package.notices.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @r#"
    #/pluginDownloadUrl: `pluginDownloadUrl` is an older spelling; hint: write `pluginDownloadURL`
    #/meta/moduleFormat: the format doesn't say which part of a module counts; hint: it must have one group, which is the module that programs see
    #/types/p:index:O: the type doesn't say what it is; hint: give it the `type` "object"
    #/resources/p:index:R/properties/p/$ref: the provider isn't among the resources; hint: write #/provider
    #/resources/p:index:R/properties/id: every resource has 'id' already; hint: leave it out, or rename it
    #/resources/p:index:R/aliases/0: `name` of an alias isn't read any more; hint: programs give such aliases themselves
    #/resources/p:index:R/aliases/0: `project` of an alias isn't read any more; hint: programs give such aliases themselves
    #/functions/p:index:f/returnType: `returnType` isn't read any more; hint: write `outputs`
    #/config/required: `required` isn't read any more in `config`; hint: list what is required in `requiredInputs` of the provider
    "#);
    assert!(package.configuration.requires("endpoint"));
    assert_eq!(package.function("p:index:f").unwrap().outputs, Returns::Nothing);
    assert_eq!(package.resource("p:index:Old").unwrap().token, "p:index:R");
}

/// SDKs would have secrets of what is in clear here.
#[test]
fn members_that_only_sdks_understand_are_told() {
    let package = parse(&json!({
        "name": "p",
        "types": {
            "p:index:O": { "Type": "object", "type": "object", "Properties": {}, "properties": {
                "u": { "oneOf": [{ "type": "string" }, { "type": "array", "items": { "Items": 1, "type": "string" } }] } } },
            "p:index:E": { "type": "string", "enum": [{ "value": "a", "Name": "A" }] },
        },
        "resources": { "p:index:R": {
            "inputProperties": {
                "pw": { "type": "string", "Secret": true, "REPLACEONCHANGES": true, "Unknown": 1 },
                "Secret": { "type": "string", "defaultInfo": { "environment": ["A"], "Environment": ["B"] } },
            },
            "propertie\u{17f}": {},
        } },
        "functions": { "p:index:f": {
            "Inputs": {}, "inputs": { "Required": [] }, "outputs": { "type": "object", "Properties": {} },
        } },
    }))
    .unwrap();
    insta::assert_snapshot!(package.notices.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @r"
    #/types/p:index:O/Type: 'Type' is `type` in SDKs, and nothing is made of it here; hint: write `type`
    #/types/p:index:O/Properties: 'Properties' is `properties` in SDKs, and nothing is made of it here; hint: write `properties`
    #/types/p:index:O/properties/u/oneOf/1/items/Items: 'Items' is `items` in SDKs, and nothing is made of it here; hint: write `items`
    #/types/p:index:E/enum/0/Name: 'Name' is `name` in SDKs, and nothing is made of it here; hint: write `name`
    #/resources/p:index:R/propertieſ: 'propertieſ' is `properties` in SDKs, and nothing is made of it here; hint: write `properties`
    #/resources/p:index:R/inputProperties/pw/Secret: 'Secret' is `secret` in SDKs, and nothing is made of it here; hint: write `secret`
    #/resources/p:index:R/inputProperties/pw/REPLACEONCHANGES: 'REPLACEONCHANGES' is `replaceOnChanges` in SDKs, and nothing is made of it here; hint: write `replaceOnChanges`
    #/resources/p:index:R/inputProperties/Secret/defaultInfo/Environment: 'Environment' is `environment` in SDKs, and nothing is made of it here; hint: write `environment`
    #/functions/p:index:f/inputs/Required: 'Required' is `required` in SDKs, and nothing is made of it here; hint: write `required`
    #/functions/p:index:f/outputs/Properties: 'Properties' is `properties` in SDKs, and nothing is made of it here; hint: write `properties`
    ");
}

#[test]
fn a_module_is_what_programs_see_of_it() {
    let with = |format: &str| parse(&json!({ "name": "p", "meta": { "moduleFormat": format } })).unwrap();
    let (bridged, plain) = (with("(.*)(?:/[^/]*)"), parse(&json!({ "name": "p" })).unwrap());
    for (package, token, expected) in [
        (&bridged, "p:s3/bucket:Bucket", Some("s3")),
        (&bridged, "p:index/pet:Pet", None),
        (&bridged, "p:s3:Bucket", None),
        (&plain, "p:s3/bucket:Bucket", Some("s3/bucket")),
        (&plain, "p:index:Pet", None),
        (&plain, "p::Pet", None),
        (&plain, "pulumi:providers:p", None),
        (&plain, "nonsense", None),
    ] {
        assert_eq!(package.module(token), expected, "{token}");
    }
}
