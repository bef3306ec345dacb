//! Inputs of a resource that was read again.

use std::{collections::BTreeSet, ptr};

use bulkhead_value::{Object, Value, equivalent};

use super::restrict::{Defaults, restricted};
use crate::{
    model::{ObjectType, Package, Property, Resource, Type},
    spelling::typed,
    walk::{Edit, Edits, Shape, Shapes, Step, Walk, is_absent, is_foreign},
};

/// The inputs to show after a refresh: as they were given, except where the new state differs from the one before. There
/// they are what the new state says, so that drift shows; where a server only writes the given value in its own way, both
/// states agree, and the given value stays.
///
/// Goes member by member through objects, maps and lists that kept their length. What isn't an output of the same type
/// stays as it was given, and so does what belongs to others.
pub fn shown_inputs(
    package: &Package,
    resource: &Resource,
    given_inputs: &Object,
    prior_state: &Object,
    new_state: &Object,
) -> Object {
    let meant = typed(package, &resource.inputs, given_inputs);
    let mut refresh = Refresh { shapes: Shapes::new(package), walk: Walk::new(), edits: Edits::default() };
    let outputs = &resource.outputs.properties;
    for (name, input) in &resource.inputs.properties {
        if outputs.get(name).is_some_and(|output| input.ty.comes_back_as(&output.ty)) {
            refresh.member(name, input, &meant, prior_state, new_state);
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
}

struct Refresh<'a> {
    shapes: Shapes<'a>,
    walk: Walk<'a, Place<'a>>,
    edits: Edits<'a>,
}

impl<'a> Refresh<'a> {
    fn visit(&mut self, place: &Place<'a>) {
        let given = self.walk.open(place.given);
        let (prior, new) = (place.prior.plain(), place.new.plain());
        let mut shape = |value| self.shapes.of(place.ty, value);
        match (shape(given), shape(prior), shape(new)) {
            (Ok(Shape::Fields(given, ty)), Ok(Shape::Fields(prior, before)), Ok(Shape::Fields(new, after)))
                if ptr::eq(ty, before) && ptr::eq(ty, after) =>
            {
                self.members(ty, given, prior, new);
            }
            (Ok(Shape::Entries(given, ty)), Ok(Shape::Entries(prior, before)), Ok(Shape::Entries(new, after)))
                if ptr::eq(ty, before) && ptr::eq(ty, after) =>
            {
                self.entries(ty, given, prior, new);
            }
            (Ok(Shape::Items(given, ty)), Ok(Shape::Items(prior, before)), Ok(Shape::Items(new, after)))
                if ptr::eq(ty, before)
                    && ptr::eq(ty, after)
                    && given.len() == prior.len()
                    && prior.len() == new.len() =>
            {
                for (index, ((given, prior), new)) in given.iter().zip(prior).zip(new).enumerate() {
                    self.walk.push(Step::Index(index), Place { ty, given, prior, new });
                }
            }
            _ if equivalent(prior, new) => {}
            _ => {
                let shown = self.shown(place.ty, new);
                self.edits.replace(&self.walk, shown);
            }
        }
    }

    fn members(&mut self, ty: &'a ObjectType, given: &'a Object, prior: &'a Object, new: &'a Object) {
        // What is on no side stays so, and a type may have any number of such properties.
        let names: BTreeSet<&String> = given.keys().chain(prior.keys()).chain(new.keys()).collect();
        for (name, property) in names.into_iter().filter_map(|name| Some((name, ty.properties.get(name)?))) {
            self.member(name, property, given, prior, new);
        }
    }

    fn member(&mut self, name: &'a str, property: &'a Property, given: &'a Object, prior: &'a Object, new: &'a Object) {
        let (given, prior, new) = (there(given, name), there(prior, name), there(new, name));
        if let (Some(given), Some(prior), Some(new)) = (given, prior, new) {
            self.walk.push(Step::Field(name), Place { ty: &property.ty, given, prior, new });
            return;
        }
        let present = |value: Option<&'a Value>| value.filter(|value| !is_absent(property, value));
        match (given, present(prior), present(new)) {
            // Nothing was given, and what is there would be there by itself.
            (None, _, Some(new)) if property.value_if_omitted().is_some_and(|default| equivalent(default, new)) => {}
            (given, prior, new) => self.appear_or_go(Step::Field(name), &property.ty, given, prior, new),
        }
    }

    fn entries(&mut self, ty: &'a Type, given: &'a Object, prior: &'a Object, new: &'a Object) {
        for name in prior.keys().filter(|name| !is_foreign(name, None) && there(new, name).is_none()) {
            self.appear_or_go(Step::Key(name), ty, there(given, name), there(prior, name), None);
        }
        for name in new.keys().filter(|name| !is_foreign(name, None)) {
            match (there(given, name), there(prior, name), there(new, name)) {
                (Some(given), Some(prior), Some(new)) => {
                    self.walk.push(Step::Key(name), Place { ty, given, prior, new });
                }
                (given, prior, new) => self.appear_or_go(Step::Key(name), ty, given, prior, new),
            }
        }
    }

    /// A member that isn't on every side.
    fn appear_or_go(
        &mut self,
        step: Step<'a>,
        ty: &'a Type,
        given: Option<&'a Value>,
        prior: Option<&'a Value>,
        new: Option<&'a Value>,
    ) {
        let unchanged = match (prior, new) {
            (None, None) => true,
            (Some(prior), Some(new)) => equivalent(prior, new),
            _ => false,
        };
        let edit = match (given, new) {
            _ if unchanged => return,
            (Some(given), Some(new)) if equivalent(given, new) => return,
            (_, Some(new)) => Edit::Put(self.shown(ty, new)),
            (Some(_), None) => Edit::Take,
            (None, None) => return,
        };
        self.edits.add(&self.walk, step, edit);
    }

    /// A value of the state as an input. Below a secret it needs no mark of its own; elsewhere the caller marks.
    fn shown(&mut self, ty: &'a Type, new: &'a Value) -> Value {
        let shown = restricted(&mut self.shapes, ty, new, Defaults::Keep);
        if self.walk.is_concealed() { shown.secret() } else { shown }
    }
}

/// A member that is there and not null.
fn there<'a>(object: &'a Object, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.plain().is_null())
}
