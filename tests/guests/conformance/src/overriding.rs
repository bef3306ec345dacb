//! What three providers do otherwise than the host would, as their manifests say.

use crate::bulkhead::provider::defaults;
use crate::bulkhead::provider::types::{CheckConfigRequest, CheckRequest, Checked, CreateRequest, Error};
use crate::bulkhead::provider::values::{Node, Tree};
use crate::value::Value;

/// Takes null for absent: `optionalprimitive` does, and the host keeps what was given as it was given.
pub(crate) fn check(mut request: CheckRequest) -> Result<Checked, Error> {
    request.inputs = present(Value::read(&request.inputs)?).write();
    defaults::check(&request)
}

/// Misses nothing: `configurer` requires a setting, and its default instance, which has none, only constructs.
pub(crate) fn check_config(request: CheckConfigRequest) -> Checked {
    Checked { inputs: request.inputs, failures: Vec::new() }
}

/// An object without members that are null.
pub(crate) fn present(object: Value) -> Value {
    let Value::Fields(fields) = object else { return object };
    let present = fields.into_iter().filter(|(_, value)| !matches!(value.plain(), Value::Leaf(Node::Null)));
    Value::Fields(present.collect())
}

/// Fails as soon as it is asked: `fail_on_create` does so in previews too.
pub(crate) fn preview(request: &CreateRequest) -> Result<Tree, Error> {
    if request.context.token.starts_with("fail_on_create:") {
        return Err(Error::Failed("failed create".to_owned()));
    }
    defaults::preview_create(request)
}
