//! Recorded conversations, and the requests that they are made of.

use bulkhead_proto::provider as pb;
use bulkhead_proto::raw::Struct;
use bulkhead_tests::serving::Serving;
use prost::Message;
use prost_types::value::Kind;
use serde_json::{Map, Value, json};
use tonic::Status;

/// One call and what came of it. Instead of the state and id that the conversation's Create returned, or its last Update,
/// a request or reply has `@created`, `@updated` and `@id`.
pub(super) struct Exchange {
    pub(super) conversation: String,
    pub(super) method: String,
    pub(super) resource: String,
    pub(super) request: Value,
    /// The reply; none if the request was refused.
    pub(super) reply: Option<Value>,
}

/// What was recorded, one exchange a line.
pub(super) fn recorded(lines: &str) -> Vec<Exchange> {
    let exchange = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("each line should be JSON");
        let text = |field: &str| line[field].as_str().expect("each line should say what it is").to_owned();
        let (conversation, method, resource) = (text("conversation"), text("method"), text("resource"));
        let reply = line.get_mut("response").map(Value::take);
        assert!(reply.is_some() != line["refused"].is_string(), "{conversation}: either a reply or a refusal");
        Exchange { conversation, method, resource, request: line["request"].take(), reply }
    };
    lines.lines().map(exchange).collect()
}

/// Makes a call. Failures of a check are a refusal like an error.
pub(super) async fn call(provider: &Serving, exchange: &Exchange, request: &Value) -> Result<Value, String> {
    let urn = urn(&exchange.resource);
    let mut client = provider.client.clone();
    let text = |field: &str| request[field].as_str().unwrap_or_default().to_owned();
    let bag = |field: &str| request.get(field).map(wire);
    let preview = request["preview"] == true;
    let ignored = request["ignoreChanges"].as_array().into_iter().flatten();
    let ignore_changes: Vec<String> = ignored.filter_map(Value::as_str).map(str::to_owned).collect();
    let refused = |status: Status| status.message().to_owned();
    match exchange.method.as_str() {
        "Check" => {
            let request = pb::CheckRequest { urn, olds: bag("olds"), news: bag("news"), ..<_>::default() };
            let reply = client.check(request).await.map_err(refused)?.into_inner();
            if let Some(failure) = reply.failures.into_iter().next() {
                return Err(format!("{}: {}", failure.property, failure.reason));
            }
            Ok(reply_of([("inputs", reply.inputs)]))
        }
        "Create" => {
            let request = pb::CreateRequest { urn, properties: bag("properties"), preview, ..<_>::default() };
            let reply = client.create(request).await.map_err(refused)?.into_inner();
            Ok(identified(reply_of([("properties", reply.properties)]), reply.id))
        }
        "Diff" => {
            let (olds, old_inputs, news) = (bag("olds"), bag("oldInputs"), bag("news"));
            let request =
                pb::DiffRequest { urn, id: text("id"), olds, old_inputs, news, ignore_changes, ..<_>::default() };
            let reply = client.diff(request).await.map_err(refused)?.into_inner();
            Ok(json!({ "changes": reply.changes().as_str_name(), "replaces": reply.replaces, "diffs": reply.diffs,
                       "deleteBeforeReplace": reply.delete_before_replace }))
        }
        "Update" => {
            let (olds, old_inputs, news) = (bag("olds"), bag("oldInputs"), bag("news"));
            let request = pb::UpdateRequest { urn, id: text("id"), olds, old_inputs, news, preview, ..<_>::default() };
            let reply = client.update(request).await.map_err(refused)?.into_inner();
            Ok(reply_of([("properties", reply.properties)]))
        }
        "Read" => {
            let (properties, inputs) = (bag("properties"), bag("inputs"));
            let request = pb::ReadRequest { urn, id: text("id"), properties, inputs, ..<_>::default() };
            let reply = client.read(request).await.map_err(refused)?.into_inner();
            Ok(identified(reply_of([("properties", reply.properties), ("inputs", reply.inputs)]), reply.id))
        }
        "Delete" => {
            let (properties, old_inputs) = (bag("properties"), bag("oldInputs"));
            let request = pb::DeleteRequest { urn, id: text("id"), properties, old_inputs, ..<_>::default() };
            client.delete(request).await.map(|_| json!({})).map_err(refused)
        }
        other => panic!("no such method was recorded: {other}"),
    }
}

fn urn(resource: &str) -> String {
    let (first, rest) = resource.split_at(1);
    let module = format!("{}{rest}", first.to_lowercase());
    bulkhead_tests::serving::urn(&format!("random:index/{module}:{resource}"))
}

fn reply_of<const N: usize>(bags: [(&str, Option<Struct>); N]) -> Value {
    let there = bags.into_iter().filter_map(|(name, bag)| Some((name.to_owned(), json(&bag?))));
    Value::Object(there.collect())
}

fn identified(mut reply: Value, id: String) -> Value {
    if !id.is_empty() {
        reply["id"] = json!(id);
    }
    reply
}

/// JSON as it is sent.
fn wire(json: &Value) -> Struct {
    let members = json.as_object().expect("bags should be objects");
    Struct::from_bytes(encoded(members).encode_to_vec())
}

fn encoded(members: &Map<String, Value>) -> prost_types::Struct {
    let fields = members.iter().map(|(name, value)| (name.clone(), encoded_value(value)));
    prost_types::Struct { fields: fields.collect() }
}

fn encoded_value(value: &Value) -> prost_types::Value {
    let kind = match value {
        Value::Null => Kind::NullValue(0),
        Value::Bool(truth) => Kind::BoolValue(*truth),
        Value::Number(number) => Kind::NumberValue(number.as_f64().expect("numbers should be doubles")),
        Value::String(text) => Kind::StringValue(text.clone()),
        Value::Array(items) => {
            Kind::ListValue(prost_types::ListValue { values: items.iter().map(encoded_value).collect() })
        }
        Value::Object(members) => Kind::StructValue(encoded(members)),
    };
    prost_types::Value { kind: Some(kind) }
}

/// What was received, as JSON.
fn json(bag: &Struct) -> Value {
    let bag = prost_types::Struct::decode(bag.as_bytes()).expect("a provider should send what can be decoded");
    decoded(&Kind::StructValue(bag))
}

fn decoded(kind: &Kind) -> Value {
    let value = |value: &prost_types::Value| value.kind.as_ref().map_or(Value::Null, decoded);
    match kind {
        Kind::NullValue(_) => Value::Null,
        Kind::BoolValue(truth) => json!(truth),
        // As the recordings have them.
        Kind::NumberValue(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 => {
            json!(*number as i64)
        }
        Kind::NumberValue(number) => json!(number),
        Kind::StringValue(text) => json!(text),
        Kind::ListValue(list) => list.values.iter().map(value).collect(),
        Kind::StructValue(members) => {
            members.fields.iter().map(|(name, member)| (name.clone(), value(member))).collect()
        }
    }
}
