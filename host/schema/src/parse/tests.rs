use semver::Version;
use serde_json::{Value as Json, json};

use crate::{
    SchemaError,
    model::{Autoname, BasePlugin, Definition, Package, ParameterKind, Parameterization, Primitive, Returns, Type},
};

fn parse(schema: &Json) -> Result<Package, SchemaError> {
    Package::parse(schema.to_string().as_bytes())
}

fn problems(schema: &Json) -> Vec<String> {
    match parse(schema) {
        Ok(_) => Vec::new(),
        Err(SchemaError::Problems(problems)) => problems.iter().map(ToString::to_string).collect(),
        Err(error) => panic!("{error}"),
    }
}

/// A package whose only resource has one input.
fn with_input(input: Json) -> Json {
    json!({
        "name": "p",
        "version": "1.2.3",
        "types": {
            "p:index:Object": { "type": "object", "properties": { "kind": { "type": "string", "const": "o" } } },
            "p:index:Enum": { "type": "integer", "enum": [{ "value": 1 }, { "value": 2, "name": "Two" }] },
        },
        "resources": { "p:index:R": { "inputProperties": { "in": input, "other": { "type": "string" } } } },
    })
}

fn type_of(input: Json) -> Type {
    parse(&with_input(input)).unwrap().resource("p:index:R").unwrap().inputs.properties["in"].ty.clone()
}

#[test]
fn only_a_name_is_required() {
    let package = parse(&json!({ "name": "p" })).unwrap();
    assert_eq!((package.name.as_str(), package.version), ("p", None));
    assert_eq!(package.provider.token, "pulumi:providers:p");
    assert_eq!(problems(&json!({})), ["#: the package must have a `name`"]);
}

#[test]
fn names_and_versions_follow_the_metaschema() {
    for (name, ok) in [("a", true), ("a-b_9", true), ("1abc", false), ("", false), ("a b", false), ("é", false)] {
        assert_eq!(problems(&json!({ "name": name })).is_empty(), ok, "{name}");
    }
    for (version, ok) in
        [("1.2.3", true), ("v1.2.3-rc.1+x", true), ("1.2", false), ("vv1.2.3", false), ("01.2.3", false)]
    {
        assert_eq!(problems(&json!({ "name": "p", "version": version })).is_empty(), ok, "{version}");
    }
    assert_eq!(parse(&json!({ "name": "p", "version": "v1.0.0" })).unwrap().version.unwrap().to_string(), "1.0.0");
}

#[test]
fn members_at_the_top_are_closed() {
    let known = json!({
        "name": "p", "displayName": "P", "version": "1.0.0", "description": "d", "keywords": [], "homepage": "h",
        "license": "l", "attribution": "a", "repository": "r", "logoUrl": "u", "pluginDownloadURL": "u",
        "publisher": "p", "namespace": "n-s", "meta": { "moduleFormat": "(.*)(?:/[^/]*)" }, "config": {}, "types": {},
        "dependencies": [], "provider": {}, "resources": {}, "functions": {}, "language": {},
        "parameterization": { "baseProvider": { "name": "b", "version": "1.0.0" }, "parameter": "aGk=" },
        "allowedPackageNames": [], "//": "a comment", "$schema": "s",
    });
    assert_eq!(problems(&known), [""; 0]);
    assert_eq!(
        problems(&json!({ "name": "p", "pluginDownloadURl": "u", "frobnicate": 1 })),
        [
            "#/pluginDownloadURl: unknown member 'pluginDownloadURl'; hint: did you mean 'pluginDownloadURL'?",
            "#/frobnicate: unknown member 'frobnicate'",
        ]
    );
}

#[test]
fn a_package_says_what_a_parameter_made_of_it() {
    let base = json!({ "name": "b", "version": "1.0.0" });
    for (member, kind) in
        [("parameterization", ParameterKind::Replacement), ("extensionParameterization", ParameterKind::Extension)]
    {
        let schema = json!({ "name": "p", member: { "baseProvider": base, "parameter": "aGk=" } });
        let version = Some(Version::new(1, 0, 0));
        let expected = Parameterization { kind, base: "b".to_owned(), version: version.clone(), plugin: None };
        assert_eq!(parse(&schema).unwrap().parameterization, Some(expected));
    }
    let replaced = json!({ "basePlugin": { "name": "c", "version": "2.0.0" }, "parameter": "" });
    let base = json!({ "name": "b", "version": "1.0.0", "parameterization": replaced });
    let schema = json!({ "name": "p", "extensionParameterization": { "baseProvider": base, "parameter": "aGk=" } });
    let plugin = parse(&schema).unwrap().parameterization.unwrap().plugin;
    assert_eq!(plugin, Some(BasePlugin { name: "c".to_owned(), version: Some(Version::new(2, 0, 0)) }));
    assert_eq!(parse(&json!({ "name": "p" })).unwrap().parameterization, None);
}

#[test]
fn addresses_of_plugins_are_found_in_whatever_case_engines_read_them() {
    let schema = json!({ "name": "p", "pluginDownloadURL": "a", "pluginDownloadUrl": "b", "dependencies": [
        { "name": "q" }, { "name": "r", "PLUGINdownloadURL": "c", "downloadURL": "d" },
    ] });
    let sources = parse(&schema).unwrap().sources;
    let found: Vec<_> = sources.iter().map(|source| (source.package.as_str(), source.from.as_str())).collect();
    assert_eq!(found, [("p", "a"), ("p", "b"), ("r", "c"), ("r", "d")]);
}

/// Programs have engines run what stands there.
#[test]
fn one_provider_makes_a_package_in_whatever_case_engines_read_it() {
    let (own, other) = (json!({ "name": "b", "version": "1.0.0" }), json!({ "name": "command", "version": "1.0.0" }));
    for member in ["parameterization", "extensionParameterization"] {
        let made = json!({ "baseProvider": own, "BaseProvider": other, "parameter": "aGk=", "Parameter": "aGk=" });
        assert_eq!(
            problems(&json!({ "name": "p", member: made })),
            [
                format!(
                    "#/{member}/BaseProvider: 'BaseProvider' is read as another `baseProvider`; hint: write `baseProvider`, once"
                ),
                format!(
                    "#/{member}/Parameter: 'Parameter' is read as another `parameter`; hint: write `parameter`, once"
                ),
            ]
        );
    }
}

/// Whose address is granted is who is fetched from there.
#[test]
fn a_dependency_has_one_name_in_whatever_case_engines_read_it() {
    let dependency = json!({ "name": "q", "Name": "r", "ver\u{17f}ion": "1.0.0", "downloadURL": "https://a", "Other": 1,
        "parameterization": { "name": "s", "version": "1.0.0", "value": "", "NAME": "t" } });
    assert_eq!(
        problems(&json!({ "name": "p", "dependencies": [dependency] })),
        [
            "#/dependencies/0/Name: 'Name' is read as another `name`; hint: write `name`, once",
            "#/dependencies/0/ver\u{17f}ion: 'ver\u{17f}ion' is read as another `version`; hint: write `version`, once",
            "#/dependencies/0/parameterization/NAME: 'NAME' is read as another `name`; hint: write `name`, once",
        ]
    );
    // Of a list that stands there twice, engines give the later packages what only the earlier ones said.
    let twice = r#"{"name":"p","dependencies":[{"name":"q","downloadURL":"https://a"}],"dependencies":[{"name":"q"}]}"#;
    let told = Package::parse(twice.as_bytes()).unwrap_err().to_string();
    assert!(told.contains("#/dependencies: 'dependencies' is read as another `dependencies`"), "{told}");
}

#[test]
fn tokens_follow_the_metaschema() {
    for (token, resource, function) in [
        ("a:b:C", true, true),
        ("a:b/c:C", true, true),
        ("a::C", true, true),
        ("a:b:c/d.E", true, true),
        ("a:b:c-d", false, true),
        ("a:C", false, false),
        ("a:1b:C", false, false),
        ("a:b:1C", false, false),
        ("", false, false),
    ] {
        let as_resource = json!({ "name": "a", "resources": { token: {} } });
        let as_function = json!({ "name": "a", "functions": { token: {} } });
        assert_eq!(problems(&as_resource).is_empty(), resource, "resource {token}");
        assert_eq!(problems(&as_function).is_empty(), function, "function {token}");
    }
}

#[test]
fn every_form_of_type_is_understood() {
    let boxed = Box::new;
    for (input, expected) in [
        (json!({ "type": "boolean" }), Type::Boolean),
        (json!({ "type": "integer" }), Type::Integer),
        (json!({ "type": "array", "items": { "type": "number" } }), Type::Array(boxed(Type::Number))),
        (json!({ "type": "object" }), Type::Map(boxed(Type::String))),
        (json!({ "type": "object", "additionalProperties": { "type": "boolean" } }), Type::Map(boxed(Type::Boolean))),
        (json!({ "$ref": "pulumi.json#/Any" }), Type::Any),
        (json!({ "$ref": "pulumi.json#/Json" }), Type::Json),
        (json!({ "$ref": "pulumi.json#/Asset" }), Type::Asset),
        (json!({ "$ref": "pulumi.json#/Archive" }), Type::Archive),
        (json!({ "$ref": "#/types/p:index:Object", "type": "object" }), Type::Object("p:index:Object".into())),
        (json!({ "$ref": "#/types/p%3Aindex:Object" }), Type::Object("p:index:Object".into())),
        (json!({ "$ref": "#/types/p:index:Enum" }), Type::Enum("p:index:Enum".into())),
        (json!({ "$ref": "#/resources/p:index:R" }), Type::Resource("p:index:R".into())),
        (json!({ "$ref": "#/provider" }), Type::Resource("pulumi:providers:p".into())),
        (json!({ "$ref": "/p/v1.2.3/schema.json#/types/p:index:Enum" }), Type::Enum("p:index:Enum".into())),
        (json!({ "$ref": "/aws/v4.0.0/schema.json#/types/aws:s3:B" }), Type::Any),
        (
            json!({ "$ref": "https://example.com/aws/v4.0.0/schema.json#/resources/aws:s3%2Fb:B" }),
            Type::Resource("aws:s3/b:B".into()),
        ),
        (json!({ "$ref": "/aws/v4.0.0/schema.json#/provider" }), Type::Resource("pulumi:providers:aws".into())),
    ] {
        assert_eq!(type_of(input.clone()), expected, "{input}");
    }
    // A package without a version is every version of itself.
    let mut schema = with_input(json!({ "$ref": "/p/v7/schema.json#/types/p:index:Enum" }));
    assert_eq!(parse(&schema).unwrap().resource("p:index:R").unwrap().inputs.properties["in"].ty, Type::Any);
    schema["version"] = Json::Null;
    let package = parse(&schema).unwrap();
    assert_eq!(package.resource("p:index:R").unwrap().inputs.properties["in"].ty, Type::Enum("p:index:Enum".into()));
    let Type::Union(union) = type_of(json!({
        "type": "string",
        "oneOf": [{ "type": "string" }, { "$ref": "#/types/p:index:Object" }],
        "discriminator": { "propertyName": "kind", "mapping": { "a": "#/types/p:index:Object", "b": "p:index:Object" } },
    })) else {
        panic!("no union")
    };
    assert_eq!(union.variants, [Type::String, Type::Object("p:index:Object".into())]);
    assert_eq!(union.underlying, Some(Primitive::String));
    assert_eq!(union.discriminator.unwrap().mapping.into_values().collect::<Vec<_>>(), ["p:index:Object"; 2]);
}

#[test]
fn a_wrong_property_is_told_with_its_place() {
    let place = "#/resources/p:index:R/inputProperties/in";
    for (input, expected) in [
        (json!({}), ": the type is missing; hint: give it a `type`, a `$ref` or a `oneOf`"),
        (
            json!({ "type": "text" }),
            "/type: unknown type 'text'; hint: there are boolean, integer, number, string, array and object",
        ),
        (json!({ "type": 1 }), "/type: expected a string, got a number"),
        (json!({ "type": "array" }), ": an array must have `items`"),
        (json!({ "type": "string", "items": { "type": "string" } }), "/items: a primitive has no `items`"),
        (json!({ "type": "object", "items": {} }), "/items: a map has no `items`"),
        (json!({ "$ref": "#/types/p:index:Object", "items": {} }), "/items: a named type has no `items`"),
        (json!({ "oneOf": [{ "type": "string" }] }), "/oneOf: a union must list at least two types"),
        (
            json!({ "$ref": "#/types/p:index:Objekt" }),
            "/$ref: there is no type 'p:index:Objekt'; hint: did you mean 'p:index:Object'?",
        ),
        (
            json!({ "$ref": "#/resources/p:index:Q" }),
            "/$ref: there is no resource 'p:index:Q'; hint: did you mean 'p:index:R'?",
        ),
        (
            json!({ "$ref": "pulumi.json#/Anything" }),
            "/$ref: unknown built-in type; hint: there are pulumi.json#/Archive, #/Asset, #/Any and #/Json",
        ),
        (
            json!({ "$ref": "#/elsewhere" }),
            "/$ref: invalid reference; hint: a reference is #/types/TOKEN, #/resources/TOKEN or #/provider",
        ),
        (
            json!({ "$ref": "file.json#/types/a" }),
            "/$ref: invalid reference 'file.json'; hint: a type of another package is /PACKAGE/vX.Y.Z/schema.json#/types/TOKEN",
        ),
        (
            json!({ "type": "integer", "default": "x" }),
            "/default: a string can't be assigned to the property's type; hint: only booleans, numbers and strings can be given, and only to a property of their type",
        ),
        (
            json!({ "type": "integer", "const": 1.5 }),
            "/const: a number can't be assigned to the property's type; hint: only booleans, numbers and strings can be given, and only to a property of their type",
        ),
        (json!({ "type": "string", "secret": "yes" }), "/secret: expected a boolean, got a string"),
        (
            json!({ "type": "string", "defaultInfo": {} }),
            "/defaultInfo: `defaultInfo` must name an environment variable",
        ),
        (
            json!({ "type": "string", "language": { "bulkhead": { "stabel": true } } }),
            "/language/bulkhead/stabel: unknown member 'stabel'; hint: did you mean 'stable'?",
        ),
        (
            json!({ "type": "integer", "language": { "bulkhead": { "autoname": {} } } }),
            "/language/bulkhead: only a string can be named automatically",
        ),
        (
            json!({ "type": "string", "language": { "bulkhead": { "autoname": { "maxLength": 3 } } } }),
            "/language/bulkhead/autoname: `maxLength` leaves no room for the random characters",
        ),
        (
            json!({ "type": "string", "language": { "bulkhead": { "validate": { "requires": ["nobody"] } } } }),
            ": there is no property 'nobody' beside it to validate with",
        ),
        (
            json!({ "type": "string", "language": { "bulkhead": { "validate": { "minLength": -1 } } } }),
            "/language/bulkhead/validate/minLength: expected a whole number that isn't negative",
        ),
        (
            json!({ "type": "integer", "language": { "bulkhead": { "emptyIsAbsent": true } } }),
            "/language/bulkhead: only a string, a list, a map or an object can be empty",
        ),
        (
            json!({ "$ref": "pulumi.json#/Asset", "language": { "bulkhead": { "coerces": true } } }),
            "/language/bulkhead: only booleans, numbers and strings have another spelling",
        ),
        (
            json!({ "type": "string", "language": { "bulkhead": { "coerces": "yes" } } }),
            "/language/bulkhead/coerces: expected a boolean, got a string",
        ),
        (
            json!({ "type": "integer", "language": { "bulkhead": { "outputDefault": "x" } } }),
            "/language/bulkhead/outputDefault: a string isn't of the property's type",
        ),
    ] {
        assert_eq!(problems(&with_input(input.clone())), [format!("{place}{expected}")], "{input}");
    }
    let pattern = json!({ "type": "string", "language": { "bulkhead": { "validate": { "pattern": "(?=a)" } } } });
    let [problem] = problems(&with_input(pattern)).try_into().unwrap();
    assert!(problem.ends_with("; hint: look-around and back-references aren't available"), "{problem}");
}

#[test]
fn all_problems_are_told_at_once() {
    let schema = json!({
        "name": "1",
        "version": "x",
        "namespace": "A",
        "meta": { "moduleFormat": "(" },
        "resources": {
            "p:index:R": { "properties": { "a/b": { "type": "x" } }, "required": ["missing"], "methods": { "m": "p:index:f" } },
            "nonsense": 1,
        },
        "functions": { "p:index:g": { "multiArgumentInputs": ["a"], "inputs": { "properties": { "b": { "type": "string" } } } } },
    });
    let [name, version, namespace, format, rest @ ..] = &problems(&schema)[..] else { panic!("too few") };
    assert!(name.starts_with("#/name: this isn't a package name"), "{name}");
    assert!(version.starts_with("#/version: this isn't a semantic version"), "{version}");
    assert!(namespace.starts_with("#/namespace: "), "{namespace}");
    assert_eq!(format, "#/meta/moduleFormat: this isn't a regular expression");
    let places: Vec<&str> =
        rest.iter().filter_map(|problem| problem.split_once(": ")).map(|(place, _)| place).collect();
    assert_eq!(
        places,
        [
            "#/resources/p:index:R/properties/a~1b/type",
            "#/resources/p:index:R/required",
            "#/resources/p:index:R/methods/m",
            "#/resources/nonsense",
            "#/resources/nonsense",
            "#/functions/p:index:g/multiArgumentInputs",
            "#/functions/p:index:g/multiArgumentInputs",
        ]
    );
}

#[test]
fn a_message_shows_the_first_problems_and_counts_the_rest() {
    let resources: serde_json::Map<String, Json> = (0..15).map(|number| (format!("r{number}"), json!({}))).collect();
    let error = parse(&json!({ "name": "p", "resources": resources })).unwrap_err().to_string();
    assert!(error.starts_with("understand the package schema: #/resources/r0: 'r0' isn't a token"), "{error}");
    assert!(error.ends_with("\nand 5 more"), "{error}");
}

#[test]
fn what_is_not_json_is_told_as_such() {
    let error = Package::parse(b"{").unwrap_err().to_string();
    assert!(error.starts_with("parse the package schema: EOF while parsing"), "{error}");
    let deep = "[".repeat(100_000);
    assert!(Package::parse(deep.as_bytes()).is_err());
    for nothing in ["null", "1", "[]", "\"p\""] {
        assert!(Package::parse(nothing.as_bytes()).is_err(), "{nothing}");
    }
}

#[test]
fn enums_resources_and_functions_are_read() {
    let package = parse(&json!({
        "name": "p",
        "types": { "p:index:E": { "type": "number", "enum": [{ "value": 0.5, "name": "Half", "deprecationMessage": "old" }] } },
        "provider": {
            "inputProperties": { "endpoint": { "type": "string", "description": "Where." } },
            "requiredInputs": ["endpoint"],
        },
        "config": { "variables": { "endpoint": { "type": "integer", "secret": true }, "retries": { "type": "integer" } }, "defaults": ["retries"] },
        "resources": {
            "p:index:R": {
                "isComponent": true,
                "aliases": ["p:old:R", { "type": "p:older:R" }, { "name": "n", "project": "q" }],
                "stateInputs": { "type": "object", "properties": { "zone": { "type": "string" } } },
                "methods": { "call": "p:index:R/call" },
            },
        },
        "functions": {
            "p:index:R/call": { "inputs": { "properties": { "__self__": { "$ref": "#/resources/p:index:R" } } } },
            "p:index:object": { "outputs": { "type": "object", "properties": {} } },
            "p:index:scalar": { "outputs": { "type": "integer", "plain": true } },
            "p:index:nothing": { "outputs": {} },
            "p:index:map": { "outputs": { "type": "object" } },
        },
    }))
    .unwrap();

    let Definition::Enum(half) = package.types.get("p:index:E").unwrap() else { panic!("no enum") };
    assert_eq!((half.values[0].name.as_deref(), half.values[0].deprecation.as_deref()), (Some("Half"), Some("old")));

    // Both describe the same bag; what the provider says wins, and what either says is secret is.
    let endpoint = &package.configuration.properties["endpoint"];
    assert_eq!((&endpoint.ty, endpoint.secret, endpoint.description.as_deref()), (&Type::String, true, Some("Where.")));
    assert_eq!(package.configuration.required.iter().collect::<Vec<_>>(), ["endpoint"]);
    assert!(package.configuration.properties.contains_key("retries"));

    let resource = package.resource("p:older:R").unwrap();
    assert_eq!((resource.token.as_str(), resource.is_component), ("p:index:R", true));
    assert_eq!(package.resource("p:old:R"), package.resource("p:index:R"));
    assert!(resource.state_inputs.as_ref().unwrap().properties.contains_key("zone"));
    assert_eq!(package.resource("pulumi:providers:p").unwrap().inputs.properties.len(), 1);
    assert_eq!(package.nearest_resource("p:index:r"), Some("p:index:R"));

    let returns = |token: &str| package.function(token).unwrap().outputs.clone();
    assert!(matches!(returns("p:index:object"), Returns::Object(_)));
    assert!(matches!(returns("p:index:nothing"), Returns::Object(_)));
    assert_eq!(returns("p:index:scalar"), Returns::Type(Type::Integer));
    assert_eq!(returns("p:index:map"), Returns::Type(Type::Map(Box::new(Type::String))));
    assert_eq!(returns("p:index:R/call"), Returns::Nothing);
}

/// SCH-08, SCH-18.
#[test]
fn resources_and_functions_may_be_overlays_deprecated_or_listed() {
    let package = parse(&json!({
        "name": "p",
        "resources": {
            "p:index:Old": { "isOverlay": true, "deprecationMessage": "use New", "description": "An old one." },
            "p:index:Listed": { "listInputs": { "properties": { "zone": { "type": "string" } }, "required": ["zone"] } },
        },
        "functions": {
            "p:index:look": {
                "isOverlay": true,
                "deprecationMessage": "use new",
                "inputs": { "properties": { "b": { "type": "string" }, "a": { "type": "integer" } } },
                "multiArgumentInputs": ["b", "a"],
            },
        },
    }))
    .unwrap();
    let old = package.resource("p:index:Old").unwrap();
    assert_eq!((old.deprecation.as_deref(), &old.list_inputs, old.is_overlay), (Some("use New"), &None, true));
    let listed = package.resource("p:index:Listed").unwrap();
    let query = listed.list_inputs.as_ref().filter(|_| !listed.is_overlay).unwrap();
    assert!(query.requires("zone") && query.properties["zone"].ty == Type::String);
    let function = package.function("p:index:look").unwrap();
    assert!(function.is_overlay);
    assert_eq!(
        (function.deprecation.as_deref(), &function.positional),
        (Some("use new"), &["b", "a"].map(str::to_owned).to_vec())
    );
}

#[test]
fn facts_stand_in_the_language_of_a_property() {
    let package = parse(&with_input(json!({
        "type": "string",
        "willReplaceOnChanges": true,
        "language": {
            "nodejs": { "anything": true },
            "bulkhead": {
                "outputDefault": null,
                "stable": true,
                "notEchoed": true,
                "autoname": { "maxLength": 63, "charset": "ab" },
                "validate": { "minimum": 1, "pattern": "^a", "conflictsWith": ["other"] },
            },
        },
    })))
    .unwrap();
    let property = &package.resource("p:index:R").unwrap().inputs.properties["in"];
    assert!(property.replaces && property.facts.stable && property.facts.not_echoed);
    assert_eq!(property.facts.output_default, Some(bulkhead_value::Value::Null));
    let autoname = Autoname { max_length: Some(63), charset: Some("ab".to_owned()), ..Autoname::default() };
    assert_eq!(property.facts.autoname, Some(autoname));
    let rules = property.facts.validate.as_ref().unwrap();
    assert_eq!((rules.minimum, rules.conflicts_with.as_slice()), (Some(1.0), ["other".to_owned()].as_slice()));
    assert!(rules.pattern.as_ref().unwrap().matches("abc"));
}

#[test]
fn numbers_are_read_to_the_last_digit() {
    let number = 127.053_489_676_503_15;
    for member in ["default", "const"] {
        let package = parse(&with_input(json!({ "type": "number", member: number }))).unwrap();
        let property = &package.resource("p:index:R").unwrap().inputs.properties["in"];
        let read = property.default.as_ref().or(property.constant.as_ref());
        assert_eq!(read, Some(&bulkhead_value::Value::from(number)), "{member}");
    }
}

#[test]
fn types_may_contain_themselves() {
    let package = parse(&json!({
        "name": "p",
        "types": {
            "p:index:A": { "type": "object", "properties": { "b": { "$ref": "#/types/p:index:B" } } },
            "p:index:B": { "type": "object", "properties": {
                "a": { "type": "array", "items": { "$ref": "#/types/p:index:A" } } } },
        },
    }))
    .unwrap();
    assert_eq!(package.object_type("p:index:A").unwrap().properties["b"].ty, Type::Object("p:index:B".into()));
}

mod acceptance;
mod limits;
