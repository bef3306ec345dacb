//! What of a reply must be the same from both providers: keys, types, secrets, unknowns, kinds and replacements, and every
//! value that isn't drawn. What is drawn must be of the same length and alphabet.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// What is drawn, by the names of the outputs.
const DRAWN: [&str; 8] = ["b64Std", "b64Url", "base64", "bcryptHash", "dec", "hex", "result", "results"];
const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// The shape of a reply: all of it if `exact`, with what is drawn by its form otherwise.
pub(super) fn shape(method: &str, reply: &Value, exact: bool) -> Value {
    match method {
        "Diff" => {
            let set = |field: &str| -> BTreeSet<String> {
                let names = reply[field].as_array().into_iter().flatten();
                names.filter_map(Value::as_str).map(str::to_owned).collect()
            };
            json!({ "changes": reply["changes"], "replaces": set("replaces"), "diffs": set("diffs"),
                    "deleteBeforeReplace": reply["deleteBeforeReplace"].as_bool().unwrap_or(false) })
        }
        "Check" => json!({ "inputs": reply["inputs"] }),
        _ if exact => reply.clone(),
        _ => drawn(reply),
    }
}

fn drawn(reply: &Value) -> Value {
    let mut shape = reply.clone();
    if let Some(properties) = shape["properties"].as_object_mut() {
        for (name, value) in properties.iter_mut().filter(|(name, _)| DRAWN.contains(&name.as_str()) || *name == "id") {
            *value = form(name, value);
        }
    }
    if let Some(id) = shape["id"].as_str() {
        shape["id"] = form("id", &json!(id));
    }
    shape
}

/// The form of a drawn value.
fn form(name: &str, value: &Value) -> Value {
    match value {
        Value::String(unknown) if unknown == UNKNOWN => json!("unknown"),
        // Names and numbers vary in length.
        Value::String(_) if name == "dec" => json!("text"),
        Value::String(text) if name == "id" => json!(if text.is_empty() { "no id" } else { "id" }),
        Value::String(text) => json!({ "length": text.chars().count(), "alphabet": alphabet(name, text) }),
        Value::Number(_) => json!("number"),
        Value::Array(items) => json!({ "items": items.len(), "texts": items.iter().all(Value::is_string) }),
        Value::Object(secret) if secret.contains_key(SIGNATURE) => {
            let mut shape: Map<String, Value> = secret.clone();
            shape.insert("value".to_owned(), form(name, &secret["value"]));
            Value::Object(shape)
        }
        other => other.clone(),
    }
}

/// The kinds of characters that a notation has. Short texts needn't have all of them, so only what may not be there counts.
fn alphabet(name: &str, text: &str) -> &'static str {
    let all = |allowed: fn(char) -> bool| text.chars().all(allowed);
    match name {
        "hex" if all(|character| character.is_ascii_hexdigit() && !character.is_ascii_uppercase()) => "hexadecimal",
        "base64" | "b64Std" if all(|character| character.is_ascii_alphanumeric() || "+/=-".contains(character)) => {
            "base64"
        }
        "b64Url" if all(|character| character.is_ascii_alphanumeric() || "-_".contains(character)) => "base64url",
        "bcryptHash" if text.starts_with("$2a$10$") => "bcrypt",
        _ if text.chars().all(|character| character.is_ascii_graphic()) => "printable",
        _ => "other",
    }
}

#[test]
fn shapes_tell_what_matters_apart() {
    let created = |result: Value| shape("Create", &json!({ "id": "x", "properties": { "result": result } }), false);
    assert_eq!(created(json!("abc")), created(json!("xyz")));
    let secret = json!({ SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "value": "abc" });
    for other in [json!("abcd"), json!("ab "), json!(3), json!(null), json!(UNKNOWN), secret] {
        assert_ne!(created(json!("abc")), created(other.clone()), "{other}");
    }
}
