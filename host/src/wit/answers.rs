//! About how many bytes what an engine answers takes in the host.
//!
//! An engine answers with what a provider made of a request, which may be the component that asked. So what weighs nothing here
//! is where that hides a gigabyte, just as in what it gives itself (`weight.rs`). A peer decides how deep a value is: nothing
//! here recurses.

use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Output, Reference, ReferenceId, Value};

use super::weight::{EACH, Weigh};
use crate::provider::Registered;

impl Weigh for Registered {
    fn weight(&self) -> usize {
        let Self { urn, id, state } = self;
        urn.weight().saturating_add(id.weight()).saturating_add(state.weight())
    }
}

impl Weigh for Value {
    fn weight(&self) -> usize {
        let (mut weight, mut open) = (0_usize, vec![self]);
        while let Some(value) = open.pop() {
            let own = match value {
                Self::Null | Self::Bool(_) | Self::Number(_) | Self::Unknown => 0,
                Self::String(text) => text.len(),
                Self::Bytes(bytes) => bytes.len(),
                Self::List(_) | Self::Object(_) | Self::Secret(_) => 0,
                Self::Asset(asset) => of_asset(asset),
                Self::Archive(archive) => of_archive(archive),
                Self::Output(output) => {
                    let Output { value: _, secret: _, dependencies } = &**output;
                    dependencies.weight()
                }
                Self::Reference(reference) => of_reference(reference),
            };
            weight = weight.saturating_add(own).saturating_add(EACH);
            match value {
                Self::List(list) => open.extend(list.iter()),
                Self::Secret(secret) => open.push(secret.inner()),
                Self::Output(output) => open.extend(output.value.as_deref()),
                value => {
                    for (name, member) in value.members().into_iter().flat_map(|members| members.iter()) {
                        weight = weight.saturating_add(name.weight());
                        open.push(member);
                    }
                }
            }
        }
        weight
    }
}

fn of_asset(Asset { hash, source }: &Asset) -> usize {
    let source = match source {
        AssetSource::Text(text) | AssetSource::Path(text) | AssetSource::Uri(text) => text.len(),
        AssetSource::Elided => 0,
    };
    hash.weight().saturating_add(source)
}

fn of_archive(Archive { hash, source }: &Archive) -> usize {
    let source = match source {
        ArchiveSource::Path(text) | ArchiveSource::Uri(text) => text.len(),
        ArchiveSource::Members(_) | ArchiveSource::Elided => 0,
    };
    hash.weight().saturating_add(source)
}

fn of_reference(Reference { urn, id, package_version }: &Reference) -> usize {
    let id = match id {
        Some(ReferenceId::Known(id)) => id.len(),
        Some(ReferenceId::Unknown) | None => 0,
    };
    urn.len().saturating_add(package_version.len()).saturating_add(id)
}

#[cfg(test)]
mod tests {
    use bulkhead_value::Object;

    use super::*;

    /// More than whatever else there is.
    const LONG: usize = 100_000;

    fn long() -> String {
        "a".repeat(LONG)
    }

    #[test]
    fn nothing_in_an_answer_is_for_free() {
        let object = |name: String, value| Value::Object([(name, value)].into_iter().collect::<Object>());
        let reference = |urn, id, package_version| Value::from(Reference { urn, id, package_version });
        let output = |value, dependencies| Value::from(Output { value, secret: false, dependencies });
        let asset = |hash, source| Value::from(Asset { hash, source });
        let archive = |hash, source| Value::from(Archive { hash, source });
        let members = [("a".to_owned(), asset(None, AssetSource::Text(long())))].into_iter().collect();
        for value in [
            Value::String(long()),
            Value::Bytes(vec![0; LONG]),
            Value::List(vec![Value::Null; LONG].into()),
            object(long(), Value::Null),
            object(String::new(), Value::String(long())),
            Value::String(long()).secret(),
            output(Some(Box::new(Value::String(long()))), Vec::new()),
            output(None, vec![long()]),
            reference(long(), None, String::new()),
            reference(String::new(), Some(ReferenceId::Known(long())), String::new()),
            reference(String::new(), None, long()),
            asset(Some(long()), AssetSource::Elided),
            asset(None, AssetSource::Uri(long())),
            archive(Some(long()), ArchiveSource::Elided),
            archive(None, ArchiveSource::Path(long())),
            archive(None, ArchiveSource::Members(members)),
        ] {
            let (weight, kind) = (value.weight(), value.kind());
            assert!(weight >= LONG, "{weight} of {kind:?}");
            let registered = Registered { urn: String::new(), id: None, state: value };
            assert!(registered.weight() >= weight);
        }
        assert!(Registered { urn: long(), id: Some(long()), state: Value::Null }.weight() >= 2 * LONG);
    }

    #[test]
    fn an_answer_of_any_depth_is_weighed() {
        let deep = (0..LONG).fold(Value::Null, |value, _| Value::List(vec![value].into()));
        assert!(deep.weight() >= LONG);
    }
}
