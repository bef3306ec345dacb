//! Functions. The host has checked their arguments against the schema.

use crate::bulkhead::provider::session;
use crate::bulkhead::provider::types::{Error, Failure, PathSegment};
use crate::creating::name;
use crate::parameters;
use crate::value::Value;

/// Calls a function.
pub(crate) fn invoke(token: &str, arguments: &Value) -> Result<Value, Error> {
    let world = |name| Value::text(format!("{} world", arguments.text_of(name)));
    let result = |value| Value::object([("result", value)]);
    let (package, function) = token.split_once(':').unwrap_or_default();
    if let Some(value) = parameters::value(package) {
        return Ok(match arguments.get("name") {
            Some(_) => Value::object([("greeting", Value::text(format!("{value}, {}", arguments.text_of("name"))))]),
            None => Value::object([("output", Value::text(format!("{}{value}", arguments.text_of("input"))))]),
        });
    }
    Ok(match (package, function.rsplit(':').next().unwrap_or_default()) {
        ("component", "identity") => result(arguments.get("input").cloned().unwrap_or(Value::text(""))),
        ("primitive", "invoke") => arguments.clone(),
        ("config-grpc", "toSecret") => all_secret(arguments),
        ("config", "getConfig") => {
            Value::object([("text", Value::text(format!("{}: {}", name(), arguments.text_of("text"))))])
        }
        ("docs", "fun") => {
            let given = arguments.get("in").and_then(Value::as_boolean).unwrap_or_default();
            Value::object([("out", Value::boolean(!given))])
        }
        ("any-type-function", _) => result(Value::object([("resultProperty", Value::text("resultValue"))])),
        ("index-mod" | "module-format", "concatWorld") | (_, "myInvoke") => result(world("value")),
        ("nestedobject", "getValues") => {
            Value::object([("results", arguments.get("names").cloned().unwrap_or(Value::Items(Vec::new())))])
        }
        ("multi-argument-invoke", _) => {
            let second = arguments.get("second").and_then(Value::as_text);
            let words = [Some(arguments.text_of("first")), second];
            result(Value::text(words.into_iter().flatten().collect::<Vec<_>>().join(" ")))
        }
        ("snake_names", _) => {
            let first = arguments.get("nested").and_then(|nested| nested.as_items().first()).cloned();
            let value = Value::text(first.map(|first| first.text_of("value").to_owned()).unwrap_or_default());
            let entry = Value::object([("key", Value::object([("value", value)]))]);
            Value::object([("nested_output", Value::Items(vec![entry]))])
        }
        ("simple-invoke-with-scalar-return", _) => Value::boolean(true),
        (_, "myInvokeScalar") => result(Value::boolean(true)),
        (_, "unit") => result(Value::text("Hello world")),
        (_, "secretInvoke") => secret_invoke(arguments, world("value")),
        ("simple-invoke", "getText") => result(get_text(arguments.text_of("text"))?),
        // What is returned isn't an object: the host puts it into one for the wire.
        ("scalar-returns", "invokeSecret") => {
            Value::number(f64::from(u32::try_from(arguments.text_of("value").len()).unwrap_or(u32::MAX))).secret()
        }
        ("scalar-returns", "invokeArray") => {
            let vowel = |letter: char| Value::boolean("aeiou".contains(letter));
            Value::Items(arguments.text_of("value").chars().map(vowel).collect())
        }
        ("scalar-returns", "invokeMap") => {
            let map = Value::object([("value", world("value"))]);
            if arguments.text_of("value") == "secret" { map.secret() } else { map }
        }
        _ => return Err(Error::NotFound(format!("there is no function `{token}`"))),
    })
}

/// The arguments, secret. Those that weren't given are empty: the schema requires all of them.
fn all_secret(arguments: &Value) -> Value {
    let mut result = Value::object([]);
    for (name, of) in [
        ("string", Value::text("")),
        ("bool", Value::boolean(false)),
        ("int", Value::number(0.0)),
        ("num", Value::number(0.0)),
    ] {
        for number in 1..=3 {
            for prefix in ["", "secret"] {
                let name = if prefix.is_empty() {
                    format!("{name}{number}")
                } else {
                    format!("{prefix}{}{number}", titled(name))
                };
                let list = ("list", Value::Items(Vec::new()));
                for (shape, nothing) in [("", of.clone()), list, ("map", Value::object([])), ("obj", Value::object([]))]
                {
                    let name = if shape.is_empty() { name.clone() } else { format!("{shape}{}", titled(&name)) };
                    let value = arguments.get(&name).cloned().unwrap_or(nothing);
                    result = result.with(&name, value.secret());
                }
            }
        }
    }
    result
}

/// A word with a capital.
fn titled(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn secret_invoke(arguments: &Value, response: Value) -> Value {
    let wanted = arguments.get("secretResponse").cloned().unwrap_or(Value::boolean(false));
    let given = matches!(arguments.get("value"), Some(Value::Secret(_)));
    let secret = given || wanted.as_boolean().unwrap_or_default();
    Value::object([("response", if secret { response.secret() } else { response }), ("secret", wanted)])
}

/// Needs a resource to exist, so that tests can tell whether a function was called too early.
fn get_text(text: &str) -> Result<Value, Error> {
    if session::get(text).is_some() {
        return Ok(Value::text(format!("{text} world")));
    }
    let reason = "no StringResource with this text has been created".to_owned();
    Err(Error::Rejected(vec![Failure { path: vec![PathSegment::Field("text".to_owned())], reason }]))
}
