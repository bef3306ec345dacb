//! Dropping.

use std::{collections::BTreeMap, mem};

use super::Children;
use crate::Value;

/// Drops values and all that is below them. What is dropped by the language, at the end of each turn, is never deeper than a
/// list of texts, for which nothing needs to be remembered.
pub(crate) fn dismantle(values: impl IntoIterator<Item = Value>) {
    let mut open: Vec<Value> = Vec::new();
    open.extend(values.into_iter().filter(is_deep));
    while let Some(mut value) = open.pop() {
        match &mut value {
            Value::List(list) => open.extend(list.0.drain(..).filter(is_deep)),
            Value::Secret(secret) => open.push(secret.take()),
            Value::Output(output) => open.extend(output.value.take().map(|value| *value)),
            value => {
                let members = value.members_mut().map(|members| mem::take(&mut members.0));
                open.extend(members.into_iter().flat_map(BTreeMap::into_values).filter(is_deep));
            }
        }
    }
}

/// Whether there is anything below what is below a value. If not, the language drops it, two levels deep.
fn is_deep(value: &Value) -> bool {
    Children::of(value).any(|(_, child)| Children::of(child).next().is_some())
}
