//! Inputs of a resource that was read again.

use std::{collections::BTreeSet, ptr};

use bulkhead_value::{List, Object, Value, equivalent};

use super::{
    concealed::concealed,
    pairing::{has_nothing_else, paired_lists},
    restrict::{Defaults, Neighbour, restricted_beside},
};
use crate::{
    model::{ObjectType, Package, Property, Resource, Type},
    spelling::typed,
    walk::{Edit, Edits, Placed, Shape, Shapes, Step, Walk, is_absent, is_foreign, is_seen_as, is_seen_in},
};

/// The inputs to show after a refresh: as they were given, except where the new state differs from the one before. There
/// they are what the new state says, so that drift shows; where a server only writes the given value in its own way, both
/// states agree, and the given value stays.
///
/// Goes member by member through objects, maps and lists; where elements of a list came or went, those that stayed are found again, by
/// what was given of them or else by their places. What no output shows stays as it was given, and so does what belongs to others.
///
/// What nobody gave is the provider's to fill in, if it was there before or always is, and no default says with what: another value
/// of that is no drift, since nobody wants the one before. It is filled in alike in what is new in a list or a map, beside another one.
///
/// What takes the place of a secret is one, and in a list with a secret in it everything that differs is: elements change places. So is one
/// that is found again, but was recorded as something else than it was given.
pub fn shown_inputs(
    package: &Package,
    resource: &Resource,
    given_inputs: &Object,
    prior_state: &Object,
    new_state: &Object,
) -> Object {
    shown(package, resource, given_inputs, prior_state, new_state, &BTreeSet::new())
}

/// The same, where somebody gave what was `reached` of the inputs, though it isn't among those that are given.
pub(super) fn shown(
    package: &Package,
    resource: &Resource,
    given_inputs: &Object,
    prior_state: &Object,
    new_state: &Object,
    reached: &BTreeSet<String>,
) -> Object {
    let meant = typed(package, &resource.inputs, given_inputs);
    let new_state = &*concealed(package, resource, new_state);
    let mut refresh =
        Refresh { shapes: Shapes::new(package), walk: Walk::new(), edits: Edits::default(), searched: None };
    for (name, input) in &resource.inputs.properties {
        let Some(output) = resource.outputs.properties.get(name) else { continue };
        let [given, prior, new] = [&meant, prior_state, new_state].map(|side| side.there(name));
        let seen = match (given, prior, new) {
            // It says nothing of what was given, and was nothing that it could differ from.
            (Some(_), None, Some(_)) if output.facts.not_echoed => false,
            (None, None, _)
                if resource.outputs.requires(name) && input.value_if_omitted().is_none() && !reached.contains(name) =>
            {
                false
            }
            // What was there already shows drift, whatever form it has.
            (Some(_), Some(_), _) | (_, _, None) => is_seen_in(&mut refresh.shapes, &input.ty, &output.ty),
            (_, _, Some(new)) => is_seen_as(&mut refresh.shapes, &input.ty, &output.ty, new),
        };
        if seen {
            refresh.member(name, input, [&meant, prior_state, new_state], Around::default());
        }
    }
    while let Some(place) = refresh.walk.next() {
        refresh.visit(&place);
    }
    let mut inputs = given_inputs.clone();
    refresh.edits.apply(&mut inputs);
    inputs
}

/// A value that was given and is in both states.
struct Place<'a> {
    ty: &'a Type,
    given: &'a Value,
    prior: &'a Value,
    new: &'a Value,
    around: Around<'a>,
}

/// What a place is in, as far as it decides what is secret.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    /// The outermost list that was given.
    list: Option<&'a List>,
    /// Whether it was recorded below a secret.
    recorded_secret: bool,
}

struct Refresh<'a> {
    shapes: Shapes<'a>,
    walk: Walk<'a, Place<'a>>,
    edits: Edits<'a>,
    /// The list that was last searched for secrets, and whether it has any: it is asked for each of its elements.
    searched: Option<(&'a List, bool)>,
}

impl<'a> Refresh<'a> {
    fn visit(&mut self, place: &Place<'a>) {
        let given = self.walk.open(place.given);
        let (prior, new) = (place.prior.plain(), place.new.plain());
        let recorded_secret = place.around.recorded_secret || matches!(place.prior, Value::Secret(_));
        let around = Around { recorded_secret, ..place.around };
        let mut shape = |value| self.shapes.of(place.ty, value).map(|shape| untyped(shape, value));
        match (shape(given), shape(prior), shape(new)) {
            (Ok(Shape::Fields(given, ty)), Ok(Shape::Fields(prior, before)), Ok(Shape::Fields(new, after)))
                if ptr::eq(ty, before) && ptr::eq(ty, after) =>
            {
                self.members(ty, [given, prior, new], around);
            }
            (Ok(Shape::Entries(given, ty)), Ok(Shape::Entries(prior, before)), Ok(Shape::Entries(new, after)))
                if ptr::eq(ty, before) && ptr::eq(ty, after) =>
            {
                self.entries(ty, [given, prior, new], around);
            }
            (Ok(Shape::Items(given, ty)), Ok(Shape::Items(prior, before)), Ok(Shape::Items(new, after)))
                if ptr::eq(ty, before) && ptr::eq(ty, after) && given.len() == prior.len() =>
            {
                let around = Around { list: around.list.or(Some(given)), ..around };
                if prior.len() == new.len() {
                    for (index, ((given, prior), new)) in given.iter().zip(prior).zip(new).enumerate() {
                        self.walk.push(Step::Index(index), Place { ty, given, prior, new, around });
                    }
                } else {
                    self.resized(ty, [given, prior, new], around);
                }
            }
            _ if equivalent(prior, new) => {}
            _ => {
                let conceals = given.contains_secret() || self.is_beside_a_secret(around);
                let shown = self.shown(place.ty, new, None, conceals);
                self.edits.replace(&self.walk, shown);
            }
        }
    }

    /// A list in which elements came or went: those that stayed are gone through as in any other.
    fn resized(&mut self, ty: &'a Type, sides: [&'a List; 3], around: Around<'a>) {
        let [given, prior, new] = sides;
        let pairs = paired_lists(&mut self.shapes, ty, sides);
        let hides = self.is_beside_a_secret(around);
        let mut placed = Vec::with_capacity(new.len());
        for ((index, new), place) in new.iter().enumerate().zip(pairs) {
            let old = place.and_then(|place| Some((place, given.get(place)?, prior.get(place)?)));
            // A server may have an order of its own.
            let old = old.filter(|(_, given, prior)| !hides || has_nothing_else(&mut self.shapes, ty, given, prior));
            placed.push(match old {
                Some((place, given, prior)) => {
                    self.walk.push(Step::Index(index), Place { ty, given, prior, new, around });
                    Placed::Old(place)
                }
                None => {
                    let conceals = around.recorded_secret || hides;
                    Placed::New(self.shown(ty, new, Neighbour::in_lists(given, prior, index), conceals))
                }
            });
        }
        self.edits.arrange(&self.walk, placed);
    }

    fn members(&mut self, ty: &'a ObjectType, sides: [&'a Object; 3], around: Around<'a>) {
        // What is on no side stays so, and a type may have any number of such properties.
        let names: BTreeSet<&String> = sides.iter().flat_map(|side| side.keys()).collect();
        for (name, property) in names.into_iter().filter_map(|name| Some((name, ty.properties.get(name)?))) {
            self.member(name, property, sides, around);
        }
    }

    /// A member of what was given, of the state before and of the new one.
    fn member(&mut self, name: &'a str, property: &'a Property, sides: [&'a Object; 3], around: Around<'a>) {
        let [given, prior, new] = sides.map(|side| side.there(name));
        if let (Some(given), Some(prior), Some(new)) = (given, prior, new) {
            self.walk.push(Step::Field(name), Place { ty: &property.ty, given, prior, new, around });
            return;
        }
        let present = |value: Option<&'a Value>| value.filter(|value| !is_absent(property, value));
        match (given, present(prior), present(new)) {
            // Nothing was given, and what is there would be there by itself.
            (None, _, Some(new)) if property.value_if_omitted().is_some_and(|default| equivalent(default, new)) => {}
            // Nor was what the provider filled in instead, and may change.
            (None, Some(_), _) if property.value_if_omitted().is_none() => {}
            // It says nothing of what was given, and was nothing that it could differ from.
            (Some(_), None, Some(_)) if property.facts.not_echoed => {}
            (given, prior, new) => {
                self.appear_or_go(Step::Field(name), &property.ty, [given, prior, new], None, around);
            }
        }
    }

    fn entries(&mut self, ty: &'a Type, sides: [&'a Object; 3], around: Around<'a>) {
        let [given, prior, new] = sides;
        let mut both = given.iter().filter_map(|(name, given)| Some(Neighbour { given, recorded: prior.there(name)? }));
        let neighbour = both.next();
        let gone = prior.keys().filter(|name| new.there(name).is_none());
        for name in gone.chain(new.keys()).filter(|name| !is_foreign(name, None)) {
            match sides.map(|side| side.there(name)) {
                [Some(given), Some(prior), Some(new)] => {
                    self.walk.push(Step::Key(name), Place { ty, given, prior, new, around });
                }
                // What the provider filled in may change.
                [None, Some(_), _] => {}
                sides => self.appear_or_go(Step::Key(name), ty, sides, neighbour, around),
            }
        }
    }

    /// A member that isn't on every side, perhaps beside another one.
    fn appear_or_go(
        &mut self,
        step: Step<'a>,
        ty: &'a Type,
        sides: [Option<&'a Value>; 3],
        neighbour: Option<Neighbour<'a>>,
        around: Around<'a>,
    ) {
        let [given, prior, new] = sides;
        let unchanged = match (prior, new) {
            (None, None) => true,
            (Some(prior), Some(new)) => equivalent(prior, new),
            _ => false,
        };
        let edit = match (given, new) {
            _ if unchanged => return,
            (Some(given), Some(new)) if equivalent(given, new) => return,
            (given, Some(new)) => {
                // What was given says whether it is a secret; of what wasn't, the record does.
                let conceals = match given.or(prior) {
                    Some(told) if told.contains_secret() => true,
                    _ => (given.is_none() && around.recorded_secret) || self.is_beside_a_secret(around),
                };
                Edit::Put(self.shown(ty, new, neighbour, conceals))
            }
            (Some(_), None) => Edit::Take,
            (None, None) => return,
        };
        self.edits.add(&self.walk, step, edit);
    }

    /// Whether a place is in a list that was given with a secret in it.
    fn is_beside_a_secret(&mut self, around: Around<'a>) -> bool {
        let Some(list) = around.list else { return false };
        match self.searched {
            Some((searched, found)) if ptr::eq(searched, list) => found,
            _ => {
                let found = list.iter().any(Value::contains_secret);
                self.searched = Some((list, found));
                found
            }
        }
    }

    /// A value of the state as an input. What the inputs' type says is secret is for the caller to mark.
    fn shown(&mut self, ty: &'a Type, new: &'a Value, neighbour: Option<Neighbour<'a>>, conceals: bool) -> Value {
        let shown = restricted_beside(&mut self.shapes, ty, new, Defaults::Keep, neighbour);
        if conceals || self.walk.is_concealed() { shown.secret() } else { shown }
    }
}

/// The shape of a value; of what may be anything, that of a list or a map of such.
fn untyped<'a>(shape: Shape<'a>, value: &'a Value) -> Shape<'a> {
    static ANY: Type = Type::Any;
    match (shape, value) {
        (Shape::Leaf, Value::Object(object)) => Shape::Entries(object, &ANY),
        (Shape::Leaf, Value::List(list)) => Shape::Items(list, &ANY),
        (shape, _) => shape,
    }
}
