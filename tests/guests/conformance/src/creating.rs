//! What comes of creating and updating. Most providers keep their inputs.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::bulkhead::provider::types::{Context, CreateRequest, Error, Partial};
use crate::bulkhead::provider::values::{Node, Tree};
use crate::bulkhead::provider::{operation, session};
use crate::configured;
use crate::exports::bulkhead::provider::resources::Created;
use crate::parameters;
use crate::value::Value;

/// How long the text of `large` is, bytes.
const LARGE: usize = 100 << 20;

/// Creates a resource.
pub(crate) fn create(request: &CreateRequest) -> Result<Created, Error> {
    let token = request.context.token.as_str();
    match token {
        "fail_on_create:index:Resource" => return Err(Error::Failed("failed create".to_owned())),
        "sync:index:Block" => meet()?,
        "simple-invoke:index:StringResource" => remember("Goodbye"),
        "flaky:index:FlakyCreate" if attempts() == 1 => {
            let state = Value::object([]).write();
            let reasons = vec!["first create attempt fails".to_owned()];
            return Err(Error::NotInitialised(Partial {
                id: "id".to_owned(),
                state,
                inputs: None,
                reasons,
                refresh_before_update: false,
            }));
        }
        _ => {}
    }
    let state = state(token, request.inputs.clone())?;
    Ok(Created { id: id(&request.context, &request.inputs), state, refresh_before_update: false })
}

/// How often the provider was asked, this time included.
fn attempts() -> i32 {
    session::add("attempts", 1).unwrap_or_default()
}

/// Waits until three are here at once: none of them gets on if one call waits for another to end.
fn meet() -> Result<(), Error> {
    let waiting = |here: Result<i32, _>| here.is_ok_and(|here| here < 3);
    let mut alone = waiting(session::add("here", 1));
    for _ in 0..1_000 {
        if !alone {
            return Ok(());
        }
        operation::sleep(10);
        alone = waiting(session::add("here", 0));
    }
    Err(Error::Failed("timeout".to_owned()))
}

/// Lets functions know of a text that was created.
fn remember(text: &str) {
    // It may be known already.
    let _ = session::compare_and_swap(text, None, Some(b"created"));
}

fn id(context: &Context, inputs: &Tree) -> String {
    let token = context.token.as_str();
    let text = |name| Value::read(inputs).ok().map(|inputs| inputs.text_of(name).to_owned()).unwrap_or_default();
    let id = match token {
        "primitive:index:Resource" => text("string"),
        "component:index:Custom" | "component-property-deps:index:Custom" | "plaincomponent:index:Custom" => {
            format!("id-{}", text("value"))
        }
        "call:index:Custom" | "configurer:index:Custom" => {
            format!("id-{}", context.name.as_deref().unwrap_or_default())
        }
        "union:index:EnumOutput" => "enum-output-id".to_owned(),
        "read:index:Resource" => "created".to_owned(),
        _ => String::new(),
    };
    if id.is_empty() { "id".to_owned() } else { id }
}

/// The state of a resource with these inputs.
pub(crate) fn state(token: &str, inputs: Tree) -> Result<Tree, Error> {
    let Some((package, kind)) = token.split_once(':') else { return Ok(inputs) };
    if let Some(value) = parameters::value(package) {
        // An explicit provider adds its own text.
        let text = crate::configured("text").and_then(|text| text.as_text().map(str::to_owned));
        let value = text.map_or(value.clone(), |text| format!("{value} {text}"));
        return Ok(Value::object([("parameterValue", Value::text(value))]).write());
    }
    let computed = match (package, kind) {
        (
            "bytesink" | "bytesource" | "camelNames" | "config" | "config-grpc" | "configurer" | "docs" | "extbase"
            | "flaky" | "large" | "output",
            _,
        )
        | ("kebab-names", "kebab-module:someResource")
        | ("snake_names", "cool_module:some_resource")
        | ("nestedcollections", "index:Foo")
        | ("nestedobject", "index:Container")
        | ("union", "index:EnumOutput")
        | ("simple-invoke" | "simple-invoke-with-scalar-return" | "multi-argument-invoke" | "output-only-invoke", _) => {
            compute(package, kind, Value::read(&inputs)?)?
        }
        _ => return Ok(inputs),
    };
    Ok(computed.write())
}

fn compute(package: &str, kind: &str, inputs: Value) -> Result<Value, Error> {
    let member = |name| inputs.get(name).cloned().unwrap_or(Value::Leaf(Node::Null));
    Ok(match package {
        "bytesink" => {
            let expected = decoded(inputs.text_of("expectBase64"))?;
            if bytes(&member("bytes")) != Some(expected.as_slice()) {
                return Err(Error::Failed("bytes does not match expectBase64".to_owned()));
            }
            inputs
        }
        "bytesource" => {
            let bytes = decoded(inputs.text_of("base64"))?;
            inputs.with("bytes", Value::Leaf(Node::Bytes(bytes)))
        }
        "camelNames" => {
            let state = Value::object([("theOutput", member("theInput"))]);
            if let Some(name) = inputs.get("resourceName") { state.with("resourceName", name.clone()) } else { state }
        }
        // Upstream's prefix is never set.
        "config" => Value::object([("text", Value::text(format!(": {}", inputs.text_of("text"))))]),
        "configurer" => inputs.with("config", configured("config").unwrap_or(Value::Leaf(Node::Null))),
        "docs" => {
            let out = !inputs.get("in").and_then(Value::as_boolean).unwrap_or_default();
            let data = Value::object([("state", Value::text("internal data"))]);
            inputs.with("out", Value::boolean(out)).with("data", data)
        }
        "extbase" => Value::object([("baseValue", Value::text("base"))]),
        "flaky" => Value::object([]),
        "large" => {
            let text = inputs.text_of("value");
            Value::object([("value", Value::text(text.repeat(LARGE / text.len().max(1))))])
        }
        "output" => output(kind, &inputs),
        "config-grpc" => Value::object([("config", Value::text(""))]),
        "kebab-names" => {
            let nested = Value::text(member("nested").text_of("nestedValue"));
            Value::object([("theOutput", Value::object([("nestedOutput", nested)]))])
        }
        "snake_names" => {
            let nested = Value::object([("nested_output", Value::text(member("nested").text_of("nested_value")))]);
            Value::object([("the_output", Value::object([("someKey", Value::Items(vec![nested]))]))])
        }
        "nestedcollections" => {
            let bar = |prop| Value::object([("prop", Value::text(prop))]);
            let sets = Value::Items(vec![Value::Items(vec![Value::Items(vec![bar("first"), bar("second")])])]);
            let inner = Value::object([("inner", Value::object([("leaf", Value::text("deep"))]))]);
            inputs.with("conditionSets", sets).with("privateEndpoint", Value::object([("outer", inner)]))
        }
        "nestedobject" => {
            let detail = |input: &Value| {
                let value = Value::text(format!("computed-{}", input.as_text().unwrap_or_default()));
                Value::object([("key", input.clone()), ("value", value)])
            };
            let details = member("inputs").as_items().iter().map(detail).collect();
            inputs.with("details", Value::Items(details))
        }
        "union" => inputs.with("type", Value::text("Block")),
        _ => Value::object([("text", Value::text("Goodbye"))]),
    })
}

fn output(kind: &str, inputs: &Value) -> Value {
    let value = inputs.get("value").cloned().unwrap_or(Value::number(0.0));
    let times = (1..=64).filter(|times| f64::from(*times) <= value.as_number().unwrap_or_default()).count();
    let text = || Value::text("hello".repeat(times));
    let state = Value::object([("value", value)]);
    if kind == "index:Resource" {
        return state.with("output", text()).with("secretOutput", text());
    }
    let map = Value::object(["a", "d", "m", "t", "x", "z"].map(|key| (key, text())));
    let state = state.with("outputArray", Value::Items(vec![text()])).with("outputMap", map);
    state.with("outputObject", Value::object([("output", text())]))
}

fn decoded(text: &str) -> Result<Vec<u8>, Error> {
    STANDARD.decode(text).map_err(|_| Error::Failed("the text is not valid base64".to_owned()))
}

/// Bytes, which come as text where they are UTF-8.
fn bytes(value: &Value) -> Option<&[u8]> {
    match value.plain() {
        Value::Leaf(Node::Bytes(bytes)) => Some(bytes),
        Value::Leaf(Node::Text(text)) => Some(text.as_bytes()),
        _ => None,
    }
}

/// The text that the configuration has for `name`.
pub(crate) fn name() -> String {
    configured("name").and_then(|name| name.as_text().map(str::to_owned)).unwrap_or_default()
}
