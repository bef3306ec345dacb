//! What a request must not show, and where it comes back in what a guest says.
//!
//! Which texts count as repeating a secret is for the caller to say: in clear, encoded, as a part of something longer.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bulkhead_value::{Archive, ArchiveSource, AssetSource, Object, Value};

use super::mark::{Places, fields_by_schema, wrap};
use super::repeated::{strings_beside, text};
use crate::{
    model::{ObjectType, Package},
    walk::Shapes,
};

/// The strings of 8 bytes or more that are secret in an object: inside of what is marked as secret, and inside of what one of
/// the types says is. The text and the address of assets, bytes that are text and what whole numbers are written down as count too; names,
/// paths and ids don't.
pub fn telling<'v>(package: &Package, types: &[&ObjectType], object: &'v Object) -> BTreeSet<Cow<'v, str>> {
    let mut secret = Places::default();
    for ty in types {
        fields_by_schema(&mut Shapes::new(package), ty, object, &mut secret);
    }
    strings_beside(object, &secret)
}

/// Marks every value with a text in it that repeats a secret, at every depth. What has a member whose name does is secret as
/// a whole. The object itself can't be: names at its top are the caller's to look at.
pub fn mark_repeating(mut object: Object, repeats: &dyn Fn(&str) -> bool) -> Object {
    let mut secret = Places::default();
    search(object.values().collect(), repeats, &mut secret);
    wrap(object.values_mut(), &secret);
    object
}

/// The same for a value.
pub fn mark_value_repeating(mut value: Value, repeats: &dyn Fn(&str) -> bool) -> Value {
    let mut secret = Places::default();
    search(vec![&value], repeats, &mut secret);
    wrap([&mut value], &secret);
    value
}

fn search(mut open: Vec<&Value>, repeats: &dyn Fn(&str) -> bool, secret: &mut Places) {
    while let Some(value) = open.pop() {
        match value {
            Value::Object(object) if object.keys().any(|name| repeats(name)) => secret.add(value),
            Value::Object(object) => open.extend(object.values()),
            Value::List(list) => open.extend(list.iter()),
            Value::Output(output) if !output.secret => match output.value.as_deref() {
                Some(leaf) if says(leaf, repeats) => secret.add(value),
                inner => open.extend(inner),
            },
            // Members of an archive can't be secret one by one.
            Value::Archive(archive) if told_in(archive, repeats) => secret.add(value),
            leaf if says(leaf, repeats) => secret.add(leaf),
            _ => {}
        }
    }
}

fn told_in(archive: &Archive, repeats: &dyn Fn(&str) -> bool) -> bool {
    let mut open = vec![archive];
    while let Some(archive) = open.pop() {
        let ArchiveSource::Members(members) = &archive.source else { continue };
        for (name, member) in members {
            match member {
                _ if repeats(name) => return true,
                member if says(member, repeats) => return true,
                Value::Archive(archive) => open.push(archive),
                _ => {}
            }
        }
    }
    false
}

/// Whether a value says what is repeated, anywhere that its provider may have made up. The URN and the id of a reference stay as they
/// are: by them it is found.
fn says(value: &Value, repeats: &dyn Fn(&str) -> bool) -> bool {
    let (made, hash) = match value {
        Value::Reference(reference) => (Some(&reference.package_version), &None),
        Value::Asset(asset) => {
            (if let AssetSource::Path(path) = &asset.source { Some(path) } else { None }, &asset.hash)
        }
        Value::Archive(archive) => {
            (if let ArchiveSource::Path(path) = &archive.source { Some(path) } else { None }, &archive.hash)
        }
        _ => (None, &None),
    };
    let made = made.filter(|made| !made.is_empty());
    [made, hash.as_ref()].into_iter().flatten().map(String::as_str).chain(text(value)).any(repeats)
}
