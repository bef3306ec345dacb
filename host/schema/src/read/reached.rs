//! Inputs of a resource that was read again after an update of it had failed half-way.
//!
//! Of such an update engines keep the new state and the inputs from before. That state is no measure for what differs since: what the
//! update reached is in it, and nobody wants it once the program is put back. What the state was before, the inputs tell.

use std::{collections::BTreeSet, ptr};

use bulkhead_value::Object;

use super::{
    pairing::{is_as_given, paired},
    refresh::shown,
};
use crate::{
    diff::same,
    model::{Package, Resource},
    spelling::typed,
    walk::{Edit, Edits, Placed, Shape, Shapes, Step, Walk, can_replace, is_foreign},
};

/// The inputs to show after a refresh, where an update had `reached` these properties when it failed: as
/// [`shown_inputs`](super::shown_inputs), with what was given in the place of what it reached.
pub fn shown_after_reaching(
    package: &Package,
    resource: &Resource,
    given: &Object,
    recorded: &Object,
    new_state: &Object,
    reached: &BTreeSet<String>,
) -> Object {
    let before = before(package, resource, given, recorded, reached);
    shown(package, resource, given, [&before, recorded], new_state, reached)
}

/// The names of what updates had `reached` that failed, and those that may stand for them by now, since an upgrade has made other inputs and
/// another state of those from before: a name that it brought where one is that it took. Without what replaces, which no update reaches.
pub fn reached_by_now(
    package: &Package,
    resource: &Resource,
    reached: &BTreeSet<String>,
    before: [&Object; 2],
    now: [&Object; 2],
) -> BTreeSet<String> {
    let Resource { inputs, outputs, .. } = resource;
    let places = |sides: [&Object; 2], name: &str| sides.map(|side| side.there(name).is_some());
    let gone = reached.iter().filter(|name| !inputs.properties.contains_key(*name));
    let taken: BTreeSet<[bool; 2]> = gone.map(|name| places(before, name)).filter(|at| *at != [false; 2]).collect();
    let mut names = reached.clone();
    if taken.is_empty() {
        return names;
    }
    let mut shapes = Shapes::new(package);
    for (name, input) in &inputs.properties {
        let stands = places(before, name) == [false; 2] && taken.contains(&places(now, name));
        let replaces = input.replaces || outputs.properties.get(name).is_some_and(|output| output.replaces);
        let mut values = now.into_iter().filter_map(|side| side.there(name));
        if stands && !replaces && !values.any(|value| can_replace(&mut shapes, &input.ty, value)) {
            names.insert(name.clone());
        }
    }
    names
}

/// Of a create that came to no end, the inputs that what it left has otherwise or not at all: what it would have done next. Without what
/// replaces, since that would take away what was just made. Of a part, which lacks what there has to be, those that it lacks: what it has
/// otherwise is held against what is there anyway.
pub fn left_undone(package: &Package, resource: &Resource, given: &Object, left: &Object) -> BTreeSet<String> {
    let Resource { inputs, outputs, facts, .. } = resource;
    if !facts.methods.update {
        return BTreeSet::new();
    }
    let given = &*typed(package, inputs, given);
    let mut shapes = Shapes::new(package);
    let mut is_told = |name: &&String| {
        let (input, output) = (inputs.properties.get(*name), outputs.properties.get(*name));
        input.zip(output).is_some_and(|(input, output)| {
            let sides = [given.there(name), left.there(name)];
            let mut replaces = sides.into_iter().flatten().map(|side| can_replace(&mut shapes, &input.ty, side));
            input.ty == output.ty && !output.facts.not_echoed && !output.replaces && !replaces.any(|replaces| replaces)
        })
    };
    let told: BTreeSet<String> =
        given.keys().filter(|name| given.there(name).is_some()).filter(&mut is_told).cloned().collect();
    if is_part(resource, left) {
        return told.into_iter().filter(|name| left.there(name).is_none()).collect();
    }
    let done = before(package, resource, given, left, &told);
    told.into_iter().filter(|name| done.get(name) != left.get(name)).collect()
}

/// Whether a state lacks what there has to be.
pub(super) fn is_part(resource: &Resource, state: &Object) -> bool {
    resource.outputs.required.iter().any(|name| state.there(name).is_none())
}

/// A recorded state with what was given in these properties. Members of objects that nobody gave stay as they are recorded, in lists and
/// maps as well: the provider fills them in. Elements and entries that nobody gave are what was reached.
fn before(
    package: &Package,
    resource: &Resource,
    given: &Object,
    recorded: &Object,
    reached: &BTreeSet<String>,
) -> Object {
    let (mut shapes, mut walk, mut edits) = (Shapes::new(package), Walk::new(), Edits::default());
    for name in reached {
        let Some(input) = resource.inputs.properties.get(name) else { continue };
        let echoed = resource.outputs.properties.get(name).is_some_and(|output| !output.facts.not_echoed);
        match (given.there(name), recorded.there(name)) {
            (Some(given), Some(recorded)) => walk.push(Step::Field(name), (&input.ty, given, recorded)),
            (Some(given), None) if echoed => edits.add(&walk, Step::Field(name), Edit::Put(given.clone())),
            (None, Some(_)) => edits.add(&walk, Step::Field(name), Edit::Take),
            (Some(_) | None, None) => {}
        }
    }
    while let Some((ty, given, recorded)) = walk.next() {
        let (given, recorded) = (walk.open(given), recorded.plain());
        let mut shape = |value| shapes.of(ty, value);
        match (shape(given), shape(recorded)) {
            (Ok(Shape::Fields(given, ty)), Ok(Shape::Fields(recorded, same))) if ptr::eq(ty, same) => {
                for (name, property) in given.keys().filter_map(|name| Some((name, ty.properties.get(name)?))) {
                    match (given.there(name), recorded.there(name)) {
                        (Some(given), Some(recorded)) => {
                            walk.push(Step::Field(name), (&property.ty, given, recorded));
                        }
                        (Some(given), None) if !property.facts.not_echoed => {
                            edits.add(&walk, Step::Field(name), Edit::Put(given.clone()));
                        }
                        _ => {}
                    }
                }
            }
            (Ok(Shape::Entries(given, ty)), Ok(Shape::Entries(recorded, same))) if ptr::eq(ty, same) => {
                let added = recorded.keys().filter(|name| given.there(name).is_none() && !is_foreign(name, None));
                added.for_each(|name| edits.add(&walk, Step::Key(name), Edit::Take));
                for (name, given) in
                    given.iter().filter(|(name, given)| !given.plain().is_null() && !is_foreign(name, None))
                {
                    match recorded.there(name) {
                        Some(recorded) => walk.push(Step::Key(name), (ty, given, recorded)),
                        None => edits.add(&walk, Step::Key(name), Edit::Put(given.clone())),
                    }
                }
            }
            (Ok(Shape::Items(given, ty)), Ok(Shape::Items(recorded, same))) if ptr::eq(ty, same) => {
                let pairs = paired(recorded.len(), given.len(), |old, new| {
                    let sides = given.get(new).zip(recorded.get(old));
                    sides.is_some_and(|(given, recorded)| is_as_given(&mut shapes, ty, given, recorded))
                });
                let mut placed = Vec::with_capacity(given.len());
                for ((index, given), place) in given.iter().enumerate().zip(pairs) {
                    let old = place.and_then(|place| Some((place, recorded.get(place)?)));
                    placed.push(match old {
                        Some((place, recorded)) => {
                            walk.push(Step::Index(index), (ty, given, recorded));
                            Placed::Old(place)
                        }
                        None => Placed::New(given.clone()),
                    });
                }
                edits.arrange(&walk, placed);
            }
            _ if same(ty, given, recorded) => {}
            _ => edits.replace(&walk, given.clone()),
        }
    }
    let mut state = recorded.clone();
    edits.apply(&mut state);
    state
}
