//! Whether a whole value fits a type.
//!
//! To tell the variants of a union apart may take looking at everything below the value: in which there may be unions
//! again. What was found out once is remembered, so the cost is bounded by the size of the value times that of the schema,
//! and by the steps that there are.

use std::{collections::HashMap, ptr};

use bulkhead_value::{Object, Value};

use super::{
    discriminator::{self, Told},
    foreign::is_foreign,
    shape::{Shape, Shapes},
};
use crate::model::{ObjectType, Property, Type};

/// How many answers are remembered.
const REMEMBERED: usize = 1_000_000;

/// Which members of an object count as notes of others, if its type doesn't declare them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Notes {
    /// `id`, and all that starts with `__`.
    Any,
    /// Those that are notes in a map as well.
    Defaults,
}

/// A value and a type, by their addresses, and what counts as notes.
type About = (usize, usize, Notes);

/// Whether a value fits a type.
#[derive(Default)]
pub(super) struct Memory(HashMap<About, bool>);

impl Memory {
    fn keep(&mut self, about: About, verdict: bool) {
        if self.0.len() < REMEMBERED {
            self.0.insert(about, verdict);
        }
    }
}

type Goal<'a> = (&'a Type, &'a Value);

/// Questions of which all must be answered with yes, or any.
struct Frame<'a> {
    goals: Vec<Goal<'a>>,
    /// The answer on which the next question is asked: yes if all must be, no if any may be.
    goes_on: bool,
    about: Option<About>,
}

enum Next<'a> {
    Known(bool),
    Ask(Frame<'a>),
}

impl<'a> Shapes<'a> {
    /// Whether a value, with all that is below it, is of a type. Unknown values are of every type. Nothing fits once all
    /// steps are taken.
    pub(crate) fn fits(&mut self, ty: &'a Type, value: &'a Value) -> bool {
        self.fits_with(ty, value, Notes::Any)
    }

    pub(super) fn fits_with(&mut self, ty: &'a Type, value: &'a Value, notes: Notes) -> bool {
        let mut frames = vec![Frame { goals: vec![(ty, value)], goes_on: true, about: None }];
        let mut answer = None;
        while let Some(frame) = frames.last_mut() {
            let goes_on = frame.goes_on;
            let verdict = match answer.take() {
                Some(verdict) if verdict != goes_on => Some(verdict),
                _ => match frame.goals.pop() {
                    None => Some(goes_on),
                    Some(_) if !self.take(1) => return false,
                    Some(goal) => {
                        match self.ask(goal, notes) {
                            Next::Known(known) => answer = Some(known),
                            Next::Ask(frame) => frames.push(frame),
                        }
                        None
                    }
                },
            };
            if let Some(verdict) = verdict {
                if let Some(about) = frames.pop().and_then(|frame| frame.about) {
                    self.memory.keep(about, verdict);
                }
                answer = Some(verdict);
            }
        }
        answer.unwrap_or(false)
    }

    fn ask(&mut self, (ty, value): Goal<'a>, notes: Notes) -> Next<'a> {
        let value = value.plain();
        if value.is_unknown() {
            return Next::Known(true);
        }
        let about = (ptr::from_ref(value).addr(), ptr::from_ref(ty).addr(), notes);
        if let Some(known) = self.memory.0.get(&about) {
            return Next::Known(*known);
        }
        let all = |goals| Next::Ask(Frame { goals, goes_on: true, about: Some(about) });
        if let Type::Union(union) = ty {
            if !self.take(union.variants.len()) {
                return Next::Known(false);
            }
            let told = union.discriminator.as_ref().map(|by| discriminator::told(self.package, union, by, value));
            return match told {
                Some(Told::Variant(variant)) => all(vec![(variant, value)]),
                Some(Told::Anything) => Next::Known(true),
                Some(Told::Nothing) => Next::Known(false),
                Some(Told::NotSaid) | None => {
                    let goals = union.variants.iter().rev().map(|variant| (variant, value)).collect();
                    Next::Ask(Frame { goals, goes_on: false, about: Some(about) })
                }
            };
        }
        if !self.take(searched(ty, value)) {
            return Next::Known(false);
        }
        match self.shallow(ty, value) {
            Err(_) => Next::Known(false),
            Ok(Shape::Leaf) => Next::Known(true),
            Ok(Shape::Items(list, element)) => all(list.iter().map(|item| (element, item)).collect()),
            Ok(Shape::Entries(object, element)) => {
                let members =
                    object.iter().filter(|(name, member)| !is_foreign(name, None) && !member.plain().is_null());
                all(members.map(|(_, member)| (element, member)).collect())
            }
            Ok(Shape::Fields(object, ty)) if !self.take(effort(ty, object)) => Next::Known(false),
            Ok(Shape::Fields(object, ty)) if wrong_members(ty, object, notes) > 0 => Next::Known(false),
            Ok(Shape::Fields(object, ty)) => {
                all(declared(ty, object).map(|(property, member)| (&property.ty, member)).collect())
            }
        }
    }
}

/// The members of an object that are declared and not null, with their properties.
fn declared<'a>(ty: &'a ObjectType, object: &'a Object) -> impl Iterator<Item = (&'a Property, &'a Value)> {
    let members = object.iter().filter(|(_, member)| !member.plain().is_null());
    members.filter_map(|(name, member)| Some((ty.property(name)?, member)))
}

/// How many steps it takes to look through a value whose parts have no types of their own.
pub(super) fn searched(ty: &Type, value: &Value) -> usize {
    match (ty, value) {
        (Type::Json, _) | (Type::Asset | Type::Archive, Value::Archive(_)) => value.nodes(),
        _ => 0,
    }
}

/// How many steps it takes to count the wrong members.
pub(super) fn effort(ty: &ObjectType, object: &Object) -> usize {
    object.len().saturating_add(ty.required.len())
}

/// How many members of an object are missing, unknown to the type, or not the constant that they must be. Another constant says
/// that another type is meant, so it counts for more than all the rest.
pub(super) fn wrong_members(ty: &ObjectType, object: &Object, notes: Notes) -> usize {
    let is_note = |name: &str| is_foreign(name, Some(ty).filter(|_| notes == Notes::Any));
    let absent = |name: &String| object.there(name).is_none();
    let filled = |name: &String| ty.property(name).is_some_and(Property::is_filled);
    let missing = ty.required.iter().filter(|name| absent(name) && !filled(name)).count();
    let unknown = object
        .iter()
        .filter(|(name, member)| !ty.properties.contains_key(*name) && !is_note(name) && !member.plain().is_null())
        .count();
    let unequal = declared(ty, object)
        .filter(|(property, member)| {
            property
                .constant
                .as_ref()
                .is_some_and(|constant| !member.plain().is_unknown() && constant != member.plain())
        })
        .count();
    let rest = effort(ty, object).saturating_add(1);
    missing.saturating_add(unknown).saturating_add(unequal.saturating_mul(rest))
}
