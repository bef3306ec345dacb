//! Programs, published SDKs and stacks know the resources by their tokens and properties. Those of the native provider
//! 4.22.0 stand here as facts, in one line a side: `name:type`, `!` where it is required.

use serde_json::{Map, Value, json};

use super::PROVIDER;

const TEXT_INPUTS: &str = "keepers:map<string> length:integer! lower:boolean minLower:integer minNumeric:integer \
    minSpecial:integer minUpper:integer number:boolean numeric:boolean overrideSpecial:string special:boolean upper:boolean";

/// Token, inputs, outputs.
const NATIVE: [(&str, &str, &str); 10] = [
    (
        "random:index/randomBytes:RandomBytes",
        "keepers:map<string> length:integer!",
        "base64:string!(secret) hex:string!(secret) keepers:map<string> length:integer!",
    ),
    (
        "random:index/randomId:RandomId",
        "byteLength:integer! keepers:map<string> prefix:string",
        "b64Std:string! b64Url:string! byteLength:integer! dec:string! hex:string! keepers:map<string> prefix:string",
    ),
    (
        "random:index/randomInteger:RandomInteger",
        "keepers:map<string> max:integer! min:integer! seed:string",
        "keepers:map<string> max:integer! min:integer! result:integer! seed:string",
    ),
    (
        "random:index/randomPassword:RandomPassword",
        TEXT_INPUTS,
        "bcryptHash:string!(secret) keepers:map<string> length:integer! lower:boolean! minLower:integer! \
         minNumeric:integer! minSpecial:integer! minUpper:integer! number:boolean! numeric:boolean! overrideSpecial:string \
         result:string!(secret) special:boolean! upper:boolean!",
    ),
    (
        "random:index/randomPet:RandomPet",
        "keepers:map<string> length:integer prefix:string separator:string",
        "keepers:map<string> length:integer! prefix:string separator:string!",
    ),
    (
        "random:index/randomShuffle:RandomShuffle",
        "inputs:list<string>! keepers:map<string> resultCount:integer seed:string",
        "inputs:list<string>! keepers:map<string> resultCount:integer results:list<string>! seed:string",
    ),
    (
        "random:index/randomString:RandomString",
        TEXT_INPUTS,
        "keepers:map<string> length:integer! lower:boolean! minLower:integer! minNumeric:integer! minSpecial:integer! \
         minUpper:integer! number:boolean! numeric:boolean! overrideSpecial:string result:string! special:boolean! \
         upper:boolean!",
    ),
    ("random:index/randomUuid4:RandomUuid4", "keepers:map<string>", "keepers:map<string> result:string!"),
    ("random:index/randomUuid7:RandomUuid7", "keepers:map<string>", "keepers:map<string> result:string!"),
    ("random:index/randomUuid:RandomUuid", "keepers:map<string>", "keepers:map<string> result:string!"),
];

fn resources() -> Map<String, Value> {
    let schema: Value = serde_json::from_str(&PROVIDER.schema().unwrap()).unwrap();
    schema["resources"].as_object().unwrap().clone()
}

/// One side of a resource as [`NATIVE`] has it.
fn side(resource: &Value, properties: &str, required: &str) -> String {
    let required: Vec<&str> =
        resource[required].as_array().map(|names| names.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
    let mut lines: Vec<String> = resource[properties]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, property)| {
            let text = |value: &Value| value["type"].as_str().unwrap().to_owned();
            let kind = match text(property).as_str() {
                "object" => format!("map<{}>", text(&property["additionalProperties"])),
                "array" => format!("list<{}>", text(&property["items"])),
                plain => plain.to_owned(),
            };
            let required = if required.contains(&name.as_str()) { "!" } else { "" };
            let secret = if property["secret"] == true { "(secret)" } else { "" };
            format!("{name}:{kind}{required}{secret}")
        })
        .collect();
    lines.sort_unstable();
    lines.join(" ")
}

#[test]
fn resources_and_properties_are_those_of_the_native_provider() {
    let resources = resources();
    assert_eq!(resources.len(), NATIVE.len());
    for (token, inputs, outputs) in NATIVE {
        let resource = resources.get(token).unwrap_or_else(|| panic!("{token} is missing"));
        assert_eq!(side(resource, "inputProperties", "requiredInputs"), inputs, "inputs of {token}");
        assert_eq!(side(resource, "properties", "required"), outputs, "outputs of {token}");
    }
}

#[test]
fn every_input_replaces_and_everything_is_explained() {
    for (token, resource) in resources() {
        assert!(!resource["description"].as_str().unwrap_or_default().is_empty(), "{token}");
        for (name, property) in resource["inputProperties"].as_object().unwrap() {
            assert_eq!(property["willReplaceOnChanges"], true, "{token} {name}");
        }
        for side in ["inputProperties", "properties"] {
            for (name, property) in resource[side].as_object().unwrap() {
                assert!(!property["description"].as_str().unwrap_or_default().is_empty(), "{token} {name}");
            }
        }
    }
}

#[test]
fn inputs_that_are_left_out_have_known_outputs() {
    const TEXT: [&str; 2] = ["random:index/randomString:RandomString", "random:index/randomPassword:RandomPassword"];
    for (token, resource) in resources() {
        let required = resource["requiredInputs"].as_array().cloned().unwrap_or_default();
        for (name, property) in resource["inputProperties"].as_object().unwrap() {
            // The native provider fills nothing in when it checks: that would change stacks that are taken over.
            assert_eq!(property["default"], Value::Null, "{token} {name}");
            let promise = property["language"]["bulkhead"].get("outputDefault");
            let expected = match name.as_str() {
                name if required.iter().any(|required| required == name) => None,
                "upper" | "lower" | "number" | "numeric" | "special" if TEXT.contains(&token.as_str()) => {
                    Some(true.into())
                }
                "minUpper" | "minLower" | "minNumeric" | "minSpecial" => Some(0.into()),
                "length" => Some(2.into()),
                "separator" => Some("-".into()),
                _ => Some(Value::Null),
            };
            assert_eq!(promise, expected.as_ref(), "{token} {name}");
        }
    }
}

#[test]
fn nothing_is_asked_of_the_operator() {
    let manifest: Value = serde_json::from_str(&PROVIDER.manifest()).unwrap();
    assert_eq!(manifest["permissions"], Value::Null);
}

#[test]
fn state_is_marked_with_the_versions_of_the_native_provider() {
    let manifest: Value = serde_json::from_str(&PROVIDER.manifest()).unwrap();
    let said = |token: &str| ["schemaVersion", "sameInputs"].map(|key| manifest["resources"][token][key].clone());
    assert_eq!(said("random:index/randomString:RandomString"), [json!(2), json!(true)]);
    assert_eq!(said("random:index/randomPassword:RandomPassword"), [json!(3), json!(true)]);
    assert_eq!(said("random:index/randomPet:RandomPet"), [Value::Null, Value::Null]);
}
