//! Keepers are how a user says when to draw again: whenever one of them changes. Since a replacement throws away what
//! others depend on, a difference that no value stands behind isn't one: empty keepers are as good as none, and a null is
//! as good as no entry.

use std::collections::BTreeMap;

use bulkhead_sdk::{
    Fields, Resource, Result, Value,
    resource::{Diff, Difference},
};

/// Arbitrary values by name.
pub(super) type Keepers = BTreeMap<String, Option<String>>;

/// What the host says of the difference, less that of keepers which mean the same.
pub(super) fn diff<R: Resource>(mut request: Diff<R>) -> Result<Difference> {
    let old = request.prior.recorded_inputs().unwrap_or(request.prior.recorded_state());
    if mean_the_same(old, &request.inputs) {
        request.ignore_changes.push("keepers".into());
    }
    request.defaults()
}

/// Whether the keepers of two objects hold the same values.
fn mean_the_same(old: &Fields, new: &Fields) -> bool {
    matches!((values(old), values(new)), (Some(old), Some(new)) if old == new)
}

/// The keepers that have a value; nothing if one isn't known.
fn values(fields: &Fields) -> Option<BTreeMap<&str, &Value>> {
    let keepers = match fields.get("keepers").map(Value::plain) {
        None | Some(Value::Null) => return Some(BTreeMap::new()),
        Some(keepers) => keepers.as_fields()?,
    };
    let values = keepers.iter().map(|(name, value)| (name.as_str(), value.plain()));
    let values: BTreeMap<_, _> = values.filter(|(_, value)| **value != Value::Null).collect();
    (!values.values().any(|value| value.is_unknown())).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(keepers: Value) -> Fields {
        Fields::from([("keepers".to_owned(), keepers)])
    }

    fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
        Value::Fields(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    #[test]
    fn what_has_no_value_makes_no_difference() {
        let none = Fields::new();
        for empty in [map([]), map([("a", Value::Null)]), Value::Null, map([]).secret()] {
            assert!(mean_the_same(&none, &inputs(empty.clone())), "{empty:?}");
            assert!(mean_the_same(&inputs(empty.clone()), &none), "{empty:?}");
        }
        let kept = inputs(map([("a", "b".into())]));
        assert!(mean_the_same(&kept, &inputs(map([("a", Value::from("b").secret()), ("c", Value::Null)]))));
    }

    #[test]
    fn values_make_a_difference() {
        let none = Fields::new();
        let kept = inputs(map([("a", "b".into())]));
        assert!(!mean_the_same(&none, &kept));
        assert!(!mean_the_same(&kept, &none));
        assert!(!mean_the_same(&kept, &inputs(map([("a", "c".into())]))));
        assert!(!mean_the_same(&kept, &inputs(map([("a", "b".into()), ("c", "d".into())]))));
    }

    #[test]
    fn what_is_not_known_may_be_a_difference() {
        let unknown = inputs(map([("a", Value::Unknown)]));
        assert!(!mean_the_same(&unknown, &unknown));
        assert!(!mean_the_same(&Fields::new(), &inputs(Value::Unknown)));
        assert!(!mean_the_same(&Fields::new(), &inputs(Value::Unknown.secret())));
    }
}
