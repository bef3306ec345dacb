//! Invoke.

use std::collections::BTreeSet;

use bulkhead_proto::provider::{InvokeRequest, InvokeResponse};
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::{Object, Output, Value};
use tonic::Status;

use super::check::failures;
use super::conversation::Conversation;
use super::internal_keys::hidden;
use super::properties::{encoded, required};
use super::status::failed;
use crate::provider::{Error, each_may_depend};

const DOING: &str = "call the function";
/// What the member of a bag is called that stands for a result without members.
const BARE: &str = "result";

pub(super) async fn invoke(conversation: &Conversation, request: InvokeRequest) -> Result<InvokeResponse, Status> {
    let mut arguments = hidden(required(request.args, "args")?);
    let engine = conversation.engine();
    let dependencies = arguments.settle();
    let session = conversation.sessions.settled(&request.tok).await;
    let answer = session.invoke(&request.tok, arguments, request.preview).await;
    match answer.map_err(|error| failed(DOING, error))? {
        Err(rejected) => Ok(InvokeResponse { r#return: None, failures: failures(rejected) }),
        Ok(result) => {
            let result = bag(result, session.returns_bare_value(&request.tok));
            let result = result.map_err(|error| failed(DOING, error))?;
            let accepts = Capabilities { outputs: engine.outputs_in_invoke, ..engine.accepts };
            each_may_depend(result.len(), &dependencies).map_err(|error| failed(DOING, error))?;
            let result = encoded(&depending(result, dependencies), &accepts).map_err(|error| failed(DOING, error))?;
            Ok(InvokeResponse { r#return: Some(result), failures: Vec::new() })
        }
    }
}

/// A result as the protocol has it: a bag, in which what isn't one is the only member. SDKs take it out, whatever its name.
fn bag(result: Value, bare: bool) -> Result<Object, Error> {
    match result {
        result if bare => Ok(Object::from([(BARE.to_owned(), result)])),
        Value::Object(result) => Ok(result),
        // A bag can't be secret, its members can.
        Value::Secret(secret) => {
            let members = bag(secret.into_inner(), false)?.into_map().into_iter();
            Ok(members.map(|(key, value)| (key, value.secret())).collect())
        }
        _ => Err(Error::provider_bug("the function returned something that isn't an object")),
    }
}

/// The result, of which every part depends on what the arguments depend on: functions don't say more.
fn depending(result: Object, dependencies: BTreeSet<String>) -> Object {
    if dependencies.is_empty() {
        return result;
    }
    let depending = |value: Value| {
        let (secret, value) = (matches!(value, Value::Secret(_)), value.into_plain());
        let dependencies = dependencies.iter().cloned().collect();
        Value::from(Output { value: Some(Box::new(value)), secret, dependencies })
    };
    result.into_map().into_iter().map(|(name, value)| (name, depending(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_bag_becomes_the_only_member_of_one() {
        let map = Object::from([("a".to_owned(), Value::from(1.0))]);
        for bare in [Value::from(true), Value::Null, Value::from("x").secret(), Value::Object(map.clone())] {
            assert_eq!(bag(bare.clone(), true).unwrap(), Object::from([(BARE.to_owned(), bare)]));
        }
        assert_eq!(bag(Value::Object(map.clone()), false).unwrap(), map);
        let secret = Object::from([("a".to_owned(), Value::from(1.0).secret())]);
        assert_eq!(bag(Value::Object(map).secret(), false).unwrap(), secret);
        let error = bag(Value::from(1.0), false).unwrap_err().to_string();
        assert!(error.starts_with("the function returned something that isn't an object"), "{error}");
    }
}
