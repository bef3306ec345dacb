//! Secrets of the inputs that come back in a state.

use std::collections::BTreeSet;
use std::str;

use bulkhead_value::{ArchiveSource, AssetSource, Object, Value};

use super::mark::Places;
use crate::walk::is_foreign;

/// Strings shorter than this, in bytes, are equal by chance.
const TELLING: usize = 8;

/// Notes what stands in the state under the same name as something secret in the inputs.
pub(super) fn by_name(inputs: &Object, state: &Object, secret: &mut Places) {
    let mut open = vec![(inputs, state)];
    while let Some((inputs, state)) = open.pop() {
        for (name, input) in inputs.iter().filter(|(name, _)| !is_foreign(name, None)) {
            let Some(output) = state.get(name) else { continue };
            match (input, output) {
                (Value::Object(input), Value::Object(output)) => open.push((input, output)),
                (input, output) if input.contains_secret() => secret.add(output),
                _ => {}
            }
        }
    }
}

/// The telling strings inside the secrets of the inputs.
pub(super) fn strings(inputs: &Object) -> BTreeSet<&str> {
    strings_beside(inputs, &Places::default())
}

/// The same, with what else is known to be secret.
pub(super) fn strings_beside<'v>(inputs: &'v Object, secret: &Places) -> BTreeSet<&'v str> {
    let mut strings = BTreeSet::new();
    let mut open: Vec<(&Value, bool)> = inputs.values().map(|value| (value, false)).collect();
    while let Some((value, concealed)) = open.pop() {
        let concealed = concealed || secret.has(value);
        match value {
            Value::Secret(inner) => open.push((inner.inner(), true)),
            Value::Output(output) => {
                open.extend(output.value.as_deref().map(|value| (value, concealed || output.secret)));
            }
            Value::List(list) => open.extend(list.iter().map(|value| (value, concealed))),
            value if let Some(members) = value.members() => {
                open.extend(members.values().map(|value| (value, concealed)));
            }
            leaf if concealed => strings.extend(text(leaf).filter(|text| text.len() >= TELLING)),
            _ => {}
        }
    }
    strings
}

/// The text that a value is, or the address that it has, which may sign for whoever knows it.
pub(super) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Asset(asset) if let AssetSource::Text(text) | AssetSource::Uri(text) = &asset.source => Some(text),
        Value::Archive(archive) if let ArchiveSource::Uri(text) = &archive.source => Some(text),
        Value::Bytes(bytes) => str::from_utf8(bytes).ok(),
        _ => None,
    }
}
