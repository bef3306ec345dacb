//! Secrets in what was rewritten.
//!
//! Whoever rewrites what is on record reads secrets in clear, and writes them under other names and in other units. Then neither a text
//! nor a name tells what was one, and nothing in the program marks it again: it stands in the record as it was written.

use bulkhead_value::{Object, Value, equivalent};

use super::mark::{Places, mark, wrap};
use crate::{
    model::{ObjectType, Package},
    walk::is_foreign,
};

/// Marks a state, or inputs, that were made of old ones: as [`mark`] does by the inputs, by those. Where something with a secret in it
/// is gone by its name, nobody knows what became of it, and so everything is secret that the old ones didn't have in its place.
pub fn mark_rewritten(package: &Package, ty: &ObjectType, old: &Object, new: Object) -> Object {
    let mut new = mark(package, ty, Some(old), new);
    if is_lost(old, &new) {
        let mut secret = Places::default();
        others(ty, old, &new, &mut secret);
        wrap(new.values_mut(), &secret);
    }
    new
}

/// Whether something with a secret in it is gone by its name. Elements of lists have none: there it may be whenever anything differs.
///
/// What is on both sides is gone through, and searched for secrets only where that ends: an object that was searched before it was gone
/// through would be searched again at each of its levels.
fn is_lost(old: &Object, new: &Object) -> bool {
    let mut open = vec![(old, new, false)];
    while let Some((old, new, concealed)) = open.pop() {
        for name in old.keys().filter(|name| !is_foreign(name, None)) {
            let Some(old) = old.there(name) else { continue };
            let concealed = concealed || matches!(old, Value::Secret(_) | Value::Output(_));
            let is_secret = || concealed || old.contains_secret();
            match (old.plain(), new.there(name).map(Value::plain)) {
                (_, None) if is_secret() => return true,
                (Value::Object(old), Some(Value::Object(new))) => open.push((old, new, concealed)),
                (Value::Object(_) | Value::List(_), Some(new)) if is_secret() && !equivalent(old, new) => return true,
                // Another value in its place is what became of it.
                _ => {}
            }
        }
    }
    false
}

/// Notes what differs from what stood in the same place.
fn others(ty: &ObjectType, old: &Object, new: &Object, secret: &mut Places) {
    let mut open = vec![(Some(ty), old, new)];
    while let Some((ty, old, new)) = open.pop() {
        for (name, new) in new.iter().filter(|(name, _)| !is_foreign(name, ty)) {
            match (old.there(name), new) {
                (Some(Value::Object(old)), Value::Object(new)) => open.push((None, old, new)),
                (Some(old), new) if equivalent(old, new) => {}
                _ => secret.add(new),
            }
        }
    }
}
