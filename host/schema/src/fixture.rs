//! What the tests share: two packages, and values written as JSON.

mod arbitrary;
mod packages;

pub(crate) use arbitrary::{like_inputs, like_known_inputs};
use bulkhead_value::{Asset, List, Object, PropertyPath, Value};
pub(crate) use packages::packages;
use serde_json::{Map, Value as Json, json};

use crate::model::{Package, Resource};

/// A value as JSON has it, with `"<unknown>"` for unknown, `{"<secret>": VALUE}` for a secret and `{"<asset>": TEXT}` for
/// an asset.
pub(crate) fn value(json: Json) -> Value {
    match json {
        Json::String(text) if text == "<unknown>" => Value::Unknown,
        Json::Array(items) => Value::List(items.into_iter().map(value).collect::<List>()),
        Json::Object(members) => match (members.get("<secret>"), members.get("<asset>")) {
            (Some(inner), _) => value(inner.clone()).secret(),
            (_, Some(text)) => Asset::text(text.as_str().unwrap()).into(),
            _ => Value::Object(members.into_iter().map(|(name, json)| (name, value(json))).collect()),
        },
        Json::Null => Value::Null,
        Json::Bool(truth) => truth.into(),
        Json::Number(number) => Value::Number(number.as_f64().unwrap()),
        Json::String(text) => text.into(),
    }
}

/// An object in the same form.
pub(crate) fn object(json: Json) -> Object {
    value(json).as_object().expect("an object").clone()
}

pub(crate) fn paths(texts: &[&str]) -> Vec<PropertyPath> {
    texts.iter().map(|text| PropertyPath::parse(text).unwrap()).collect()
}

/// The package that this schema describes. A named type that doesn't say what it is, is an object.
pub(crate) fn parsed(schema: &Json) -> Package {
    let mut schema = schema.clone();
    for definition in schema.get_mut("types").and_then(Json::as_object_mut).into_iter().flat_map(Map::values_mut) {
        if definition.get("type").is_none() {
            definition["type"] = json!("object");
        }
    }
    Package::parse(schema.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// A package with one resource `t:index:R` that has these inputs and outputs, and these types.
pub(crate) fn one(inputs: Json, outputs: Json, types: Json) -> Package {
    parsed(&json!({
        "name": "t",
        "types": types,
        "resources": { "t:index:R": { "inputProperties": inputs, "properties": outputs } },
    }))
}

pub(crate) fn resource(package: &Package) -> &Resource {
    package.resource("t:index:R").unwrap()
}

/// A resource like those of `random`: everything replaces, defaults are the provider's.
pub(crate) fn random() -> Package {
    let keepers = json!({
        "type": "object", "additionalProperties": { "type": "string" }, "willReplaceOnChanges": true
    });
    let promised = |ty: &str, value: Json| json!({ "type": ty, "willReplaceOnChanges": true, "language": { "bulkhead": { "outputDefault": value } } });
    let inputs = json!({
        "keepers": keepers,
        "length": { "type": "integer", "willReplaceOnChanges": true,
            "language": { "bulkhead": { "validate": { "minimum": 1 } } } },
        "minLower": promised("integer", json!(0)),
        "overrideSpecial": { "type": "string", "willReplaceOnChanges": true },
        "special": promised("boolean", json!(true)),
    });
    let mut outputs = inputs.clone();
    outputs["result"] = json!({ "type": "string", "secret": true, "language": { "bulkhead": { "stable": true } } });
    outputs["bcryptHash"] = json!({ "type": "string", "secret": true });
    let mut package = parsed(&json!({
        "name": "random",
        "version": "4.18.0",
        "meta": { "moduleFormat": "(.*)(?:/[^/]*)" },
        "resources": {
            "random:index/randomPassword:RandomPassword": {
                "inputProperties": inputs,
                "requiredInputs": ["length"],
                "properties": outputs,
                "required": ["length", "minLower", "special", "result", "bcryptHash"],
                "aliases": [{ "type": "random:index/password:Password" }],
            }
        }
    }));
    let facts = crate::ResourceFacts {
        methods: crate::Methods { read: false, update: false, delete: false },
        ..crate::ResourceFacts::default()
    };
    package.resource_mut("random:index/randomPassword:RandomPassword").unwrap().facts = facts;
    package
}

pub(crate) fn password(package: &Package) -> &Resource {
    package.resource("random:index/randomPassword:RandomPassword").unwrap()
}

/// A resource with a property of every sort.
pub(crate) fn cloud() -> Package {
    let inputs = json!({
        "name": { "type": "string", "replaceOnChanges": true,
            "language": { "bulkhead": { "autoname": { "maxLength": 24 } } } },
        "size": { "$ref": "#/types/cloud:index:Size", "default": "small" },
        "replicas": { "type": "integer", "default": 1 },
        "ratio": { "type": "number" },
        "public": { "type": "boolean" },
        "tags": { "type": "object", "additionalProperties": { "type": "string" } },
        "rules": { "type": "array", "items": { "$ref": "#/types/cloud:index:Rule" } },
        "spec": { "$ref": "#/types/cloud:index:Spec" },
        "shape": {
            "oneOf": [{ "$ref": "#/types/cloud:index:Circle" }, { "$ref": "#/types/cloud:index:Square" }],
            "discriminator": { "propertyName": "kind", "mapping": {
                "circle": "#/types/cloud:index:Circle", "square": "#/types/cloud:index:Square" } },
        },
        "label": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
        "anything": { "$ref": "pulumi.json#/Any" },
        "document": { "$ref": "pulumi.json#/Json" },
        "source": { "$ref": "pulumi.json#/Asset" },
        "code": { "$ref": "pulumi.json#/Archive" },
        "network": { "$ref": "#/resources/cloud:index:Network" },
        "password": { "type": "string", "secret": true, "language": { "bulkhead": { "notEchoed": true } } },
        "token": { "type": "string", "secret": true, "default": "default-token",
            "defaultInfo": { "environment": ["CLOUD_TOKEN", "CLOUD_TOKEN_OLD"] } },
        "region": { "type": "string", "language": { "bulkhead": { "outputDefault": "eu" } } },
        "writeOnly": { "type": "string" },
    });
    let mut outputs = inputs.clone();
    outputs.as_object_mut().unwrap().remove("writeOnly");
    outputs["endpoint"] = json!({ "type": "string" });
    outputs["arn"] = json!({ "type": "string", "language": { "bulkhead": { "stable": true } } });
    outputs["spec"] = json!({ "$ref": "#/types/cloud:index:SpecState" });
    parsed(&json!({
        "name": "cloud",
        "types": {
            "cloud:index:Size": { "type": "string", "enum": [{ "value": "small" }, { "value": "large" }] },
            "cloud:index:Rule": {
                "properties": {
                    "port": { "type": "integer" },
                    "protocol": { "type": "string", "default": "tcp" },
                    "note": { "type": "string" },
                },
                "required": ["port"],
            },
            "cloud:index:Spec": {
                "properties": {
                    "zone": { "type": "string", "replaceOnChanges": true },
                    "weight": { "type": "number" },
                    "key": { "type": "string", "secret": true },
                    "children": { "type": "array", "items": { "$ref": "#/types/cloud:index:Spec" } },
                    "child": { "$ref": "#/types/cloud:index:Spec" },
                },
            },
            "cloud:index:SpecState": {
                "properties": {
                    "zone": { "type": "string" },
                    "weight": { "type": "number" },
                    "key": { "type": "string", "secret": true },
                    "children": { "type": "array", "items": { "$ref": "#/types/cloud:index:SpecState" } },
                    "child": { "$ref": "#/types/cloud:index:SpecState" },
                    "serial": { "type": "string" },
                },
                "required": ["serial"],
            },
            "cloud:index:Circle": {
                "properties": { "kind": { "type": "string", "const": "circle" }, "radius": { "type": "number" } },
                "required": ["kind", "radius"],
            },
            "cloud:index:Square": {
                "properties": { "kind": { "type": "string", "const": "square" }, "side": { "type": "number" } },
                "required": ["kind", "side"],
            },
        },
        "resources": {
            "cloud:index:Server": { "inputProperties": inputs, "properties": outputs },
            "cloud:index:Network": {},
        },
    }))
}

pub(crate) fn server(package: &Package) -> &Resource {
    package.resource("cloud:index:Server").unwrap()
}

/// Runs a test on a stack as small as that of an engine's worker thread.
pub(crate) fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
}

/// Nested objects, each with the next one as its member of this name.
pub(crate) fn nested(levels: usize, name: &str, innermost: Value) -> Value {
    (0..levels).fold(innermost, |inner, _| Value::Object([(name, inner)].into()))
}
