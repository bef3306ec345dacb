//! Which element of a list is which, once some came or went.
//!
//! Elements have no names. By their places alone, one that is gone from the front would make all others differ, also in what nobody
//! gave.

use std::{iter, ops::Range, ptr};

use bulkhead_value::{List, Value, equivalent};

use crate::{
    diff::same,
    model::{Package, Property, Type},
    walk::{Shape, Shapes},
};

/// For each new element the place of the old one that it is: `same` tells whether two are alike. Those at either end that are alike
/// stay with each other, and between them those that are, if all of the shorter list are in the longer one. Otherwise they
/// go by their places. No old element is two new ones, and the order is kept.
pub(super) fn paired(old: usize, new: usize, mut same: impl FnMut(usize, usize) -> bool) -> Vec<Option<usize>> {
    let shorter = old.min(new);
    let front = (0..shorter).take_while(|place| same(*place, *place)).count();
    let (old_rest, new_rest) = (old.saturating_sub(front), new.saturating_sub(front));
    let from_end = |length: usize, place: usize| length.saturating_sub(place).saturating_sub(1);
    let end =
        (0..old_rest.min(new_rest)).take_while(|place| same(from_end(old, *place), from_end(new, *place))).count();
    let (old_end, new_end) = (old.saturating_sub(end), new.saturating_sub(end));
    let between = in_order(front..old_end, front..new_end, &mut same);
    let places = |place: usize| (place < old_end).then_some(place);
    let between = between.unwrap_or_else(|| (front..new_end).map(places).collect());
    (0..front).map(Some).chain(between).chain((old_end..old).map(Some)).collect()
}

/// For each new element the old one that it is like, if one side has all of the other in the same order.
fn in_order(
    old: Range<usize>,
    new: Range<usize>,
    same: &mut impl FnMut(usize, usize) -> bool,
) -> Option<Vec<Option<usize>>> {
    let mut old = old;
    let shrinks = old.len() >= new.len();
    let found = new.map(|new| {
        if shrinks {
            return old.find(|old| same(*old, new));
        }
        let next = old.clone().next().filter(|old| same(*old, new));
        if next.is_some() {
            old.next();
        }
        next
    });
    let found: Vec<Option<usize>> = found.collect();
    let all = if shrinks { found.iter().all(Option::is_some) } else { old.is_empty() };
    all.then_some(found)
}

/// The elements of a list that was given with those on record, beside the list that is there now.
pub(super) fn paired_lists<'a>(
    shapes: &mut Shapes<'a>,
    ty: &'a Type,
    [given, prior, new]: [&'a List; 3],
) -> Vec<Option<usize>> {
    paired(given.len().min(prior.len()), new.len(), |old, place| {
        match (given.get(old), prior.get(old), new.get(place)) {
            (Some(given), Some(prior), Some(new)) => is_the_same(shapes, ty, [given, prior, new]),
            _ => false,
        }
    })
}

/// Whether a value is the one on record as far as anybody gave it: the provider may have filled in something else since.
pub(super) fn is_the_same<'a>(shapes: &mut Shapes<'a>, ty: &'a Type, sides: [&'a Value; 3]) -> bool {
    alike(shapes, ty, sides, |_, _| false)
}

/// Whether a value was recorded as it was given, as far as that can be told.
pub(super) fn is_as_given<'a>(shapes: &mut Shapes<'a>, ty: &'a Type, given: &'a Value, recorded: &'a Value) -> bool {
    alike(shapes, ty, [given, given, recorded], |property, _| {
        property.is_some_and(|property| property.facts.not_echoed)
    })
}

/// Whether nothing was recorded in the place of what was given. What never comes back doesn't count.
pub(super) fn has_nothing_else<'a>(
    shapes: &mut Shapes<'a>,
    ty: &'a Type,
    given: &'a Value,
    recorded: &'a Value,
) -> bool {
    let tells_nothing = |property: Option<&Property>, recorded: Option<&Value>| {
        recorded.is_none() || property.is_some_and(|property| property.facts.not_echoed)
    };
    alike(shapes, ty, [given, given, recorded], tells_nothing)
}

/// Tells where a server keeps the elements of a list in an order of its own. Each of them may have to be sought among all, so it is given up
/// at some point.
pub(super) struct Order<'a>(Shapes<'a>);

/// How many steps are taken to find elements in other places.
const SEARCH: usize = 1_000_000;

impl<'a> Order<'a> {
    pub(super) fn new(package: &'a Package) -> Self {
        Self(Shapes::within(package, SEARCH))
    }

    /// Whether what was recorded in a place is another element than was given there. A server may as well write that in its own way: then
    /// no other is as it was recorded.
    pub(super) fn is_another(&mut self, ty: &'a Type, given: &'a List, place: usize, recorded: &'a Value) -> bool {
        let found = self.given_of(ty, given, place, recorded);
        given.get(place).zip(found).is_some_and(|(own, found)| !ptr::eq(own, found))
    }

    /// What was given of what was recorded in a place: what was given there, unless it is [another](Self::is_another).
    pub(super) fn given_of(
        &mut self,
        ty: &'a Type,
        given: &'a List,
        place: usize,
        recorded: &'a Value,
    ) -> Option<&'a Value> {
        let Self(shapes) = self;
        let own = given.get(place)?;
        for given in iter::once(own).chain(given) {
            if shapes.is_spent() {
                break;
            }
            if is_as_given(shapes, ty, given, recorded) {
                return Some(given);
            }
        }
        Some(own)
    }
}

/// Whether two values are alike in what was given, but for members that don't count: by their property, if they have one, and the other
/// value of them.
fn alike<'a>(
    shapes: &mut Shapes<'a>,
    ty: &'a Type,
    [given, one, other]: [&'a Value; 3],
    tells_nothing: impl Fn(Option<&Property>, Option<&Value>) -> bool,
) -> bool {
    let mut open = vec![(ty, given, one, other)];
    let mut told = false;
    while let Some((ty, given, one, other)) = open.pop() {
        let [given, one, other] = [given, one, other].map(Value::plain);
        let members: Vec<_> = match (shapes.of(ty, given), one, other) {
            (Ok(Shape::Fields(object, ty)), Value::Object(_), Value::Object(_)) if shapes.take(object.len()) => object
                .iter()
                .filter(|(_, member)| !member.plain().is_null())
                .filter_map(|(name, member)| {
                    let property = ty.property(name)?;
                    Some((name, &property.ty, Some(property), member))
                })
                .collect(),
            (Ok(Shape::Entries(object, ty)), Value::Object(_), Value::Object(_)) if shapes.take(object.len()) => {
                object.iter().map(|(name, member)| (name, ty, None, member)).collect()
            }
            (Ok(Shape::Items(given, ty)), Value::List(one), Value::List(other))
                if given.len() == one.len() && one.len() == other.len() =>
            {
                let elements = given.iter().zip(one).zip(other);
                open.extend(elements.map(|((given, one), other)| (ty, given, one, other)));
                continue;
            }
            _ if same(ty, one, other) => {
                told = true;
                continue;
            }
            _ => return false,
        };
        let (Value::Object(one), Value::Object(other)) = (one, other) else { return false };
        for (name, ty, property, given) in members {
            let [one, other] = [one.there(name), other.there(name)];
            match (one, other) {
                _ if tells_nothing(property, other) => {}
                (Some(one), Some(other)) => open.push((ty, given, one, other)),
                // It never comes back.
                (None, None) => {}
                _ => return false,
            }
        }
    }
    told || equivalent(one, other)
}

#[cfg(test)]
mod tests {
    use super::paired;

    /// The old letters that are found for new ones.
    fn found(old: &str, new: &str) -> String {
        let at = |text: &str, place: usize| text.as_bytes().get(place).copied();
        let places = paired(old.len(), new.len(), |one, other| at(old, one) == at(new, other));
        assert_eq!(places.len(), new.len(), "{old} {new}");
        places.into_iter().map(|place| place.map_or('-', |place| char::from(old.as_bytes()[place]))).collect()
    }

    #[test]
    fn elements_are_found_again_where_others_came_or_went() {
        for (old, new, expected) in [
            ("abc", "abc", "abc"),
            ("abc", "bc", "bc"),
            ("abc", "ac", "ac"),
            ("abcde", "bd", "bd"),
            ("abc", "xabc", "-abc"),
            ("abc", "axbyc", "a-b-c"),
            ("aaa", "aa", "aa"),
            ("", "a", "-"),
            ("a", "", ""),
            // By their places, between what is alike at both ends.
            ("abcd", "axd", "abd"),
            ("ad", "axyd", "a--d"),
            ("abd", "axyd", "ab-d"),
            ("ab", "xyz", "ab-"),
            ("abc", "xy", "ab"),
        ] {
            assert_eq!(found(old, new), expected, "{old} {new}");
        }
    }
}
