//! Dropping.

use std::{collections::BTreeMap, mem};

use super::Children;
use crate::Value;

/// Drops values and all that is below them. What is dropped by the language, at the end of each turn, has nothing below it.
pub(crate) fn dismantle(values: impl IntoIterator<Item = Value>) {
    let mut open: Vec<Value> = Vec::new();
    open.extend(values.into_iter().filter(has_children));
    while let Some(mut value) = open.pop() {
        match &mut value {
            Value::List(list) => open.extend(list.0.drain(..).filter(has_children)),
            Value::Secret(secret) => open.push(secret.take()),
            Value::Output(output) => open.extend(output.value.take().map(|value| *value)),
            value => {
                let members = value.members_mut().map(|members| mem::take(&mut members.0));
                open.extend(members.into_iter().flat_map(BTreeMap::into_values).filter(has_children));
            }
        }
    }
}

fn has_children(value: &Value) -> bool {
    Children::of(value).next().is_some()
}
