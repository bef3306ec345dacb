//! Taking outputs out of their wrapping, and what isn't known out of what is.

use std::collections::BTreeSet;
use std::mem;

use crate::{Object, Value};

/// Replaces every output by its value, a secret or an unknown one where it is that, and collects what outputs depended on.
pub(crate) fn settle(value: &mut Value, dependencies: &mut BTreeSet<String>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let mut secret = false;
        let mut inner = mem::replace(value, Value::Null);
        inner = loop {
            inner = match inner {
                Value::Secret(wrapped) => {
                    secret = true;
                    wrapped.into_inner()
                }
                Value::Output(output) => {
                    let (eventual, hidden, urns) = output.into_parts();
                    secret |= hidden;
                    dependencies.extend(urns);
                    eventual.unwrap_or(Value::Unknown)
                }
                inner => break inner,
            };
        };
        *value = if secret { inner.secret() } else { inner };
        let value = match value {
            Value::Secret(secret) => secret.inner_mut(),
            value => value,
        };
        match value {
            Value::List(list) => open.extend(list.iter_mut()),
            value => open.extend(value.members_mut().into_iter().flat_map(|members| members.values_mut())),
        }
    }
}

/// Takes ids that aren't known out of references.
pub(crate) fn drop_unknown_ids<'v>(values: impl IntoIterator<Item = &'v mut Value>) {
    let mut open: Vec<&mut Value> = values.into_iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Reference(reference) if reference.id.as_ref().is_some_and(|id| id.known().is_none()) => {
                reference.id = None;
            }
            Value::Secret(secret) => open.push(secret.inner_mut()),
            Value::Output(output) => open.extend(output.value.as_deref_mut()),
            Value::List(list) => open.extend(list.iter_mut()),
            value => open.extend(value.members_mut().into_iter().flat_map(|members| members.values_mut())),
        }
    }
}

/// Takes secrets that aren't known out of objects and lists, at every depth.
pub(crate) fn drop_unknown_secrets(object: &mut Object) {
    let known = |value: &Value| !matches!(value, Value::Secret(secret) if secret.inner().is_unknown());
    object.retain(|_, value| known(value));
    let mut open: Vec<&mut Value> = object.values_mut().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Object(object) => {
                object.retain(|_, value| known(value));
                open.extend(object.values_mut());
            }
            Value::List(list) => {
                list.0.retain(known);
                open.extend(list.iter_mut());
            }
            Value::Secret(secret) => open.push(secret.inner_mut()),
            _ => {}
        }
    }
}
