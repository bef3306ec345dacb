//! Two objects, member by member.

use std::{cmp::Ordering, iter};

use bulkhead_value::{Object, Value};

/// The members of two objects beside each other, by name and in its order: what either has, and what the other has instead.
pub(crate) fn beside<'a>(
    one: &'a Object,
    other: &'a Object,
) -> impl Iterator<Item = (&'a str, Option<&'a Value>, Option<&'a Value>)> {
    let (mut ones, mut others) = (one.iter().peekable(), other.iter().peekable());
    iter::from_fn(move || {
        let order = match (ones.peek(), others.peek()) {
            (Some((one, _)), Some((other, _))) => one.cmp(other),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let one = ones.next_if(|_| order.is_le());
        let other = others.next_if(|_| order.is_ge());
        let (name, _) = one.or(other)?;
        Some((name.as_str(), one.map(|(_, value)| value), other.map(|(_, value)| value)))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_name_comes_once_with_what_either_has(
            one in proptest::collection::btree_map("[a-d]{0,2}", any::<bool>(), 0..8),
            other in proptest::collection::btree_map("[a-d]{0,2}", any::<bool>(), 0..8),
        ) {
            let object = |members: &BTreeMap<String, bool>| members.clone().into_iter().collect::<Object>();
            let (ones, others) = (object(&one), object(&other));
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let expected = names.into_iter().map(|name| (name.as_str(), ones.get(name), others.get(name)));
            prop_assert!(beside(&ones, &others).eq(expected));
        }
    }
}
