//! Which variant of a union a value is of.
//!
//! A discriminator decides. Without one the first variant that fits is taken, and to see whether a variant fits may take
//! looking at everything below the value: in which there may be unions again. What was found out once is remembered, so
//! the cost is bounded by the size of the value times that of the schema.

use std::{collections::HashMap, ptr};

use bulkhead_value::{Object, Value};

use super::{
    foreign::is_foreign,
    shape::{Mismatch, Reason, Shape, Shapes},
};
use crate::model::{Discriminator, ObjectType, Package, Property, Type, Union};

/// Whether a value fits a type, by the addresses of both.
#[derive(Default)]
pub(super) struct Memory(HashMap<(usize, usize), bool>);

type Goal<'a> = (&'a Type, &'a Value);

/// Questions of which all must be answered with yes, or any.
struct Frame<'a> {
    goals: Vec<Goal<'a>>,
    /// The answer on which the next question is asked: yes if all must be, no if any may be.
    goes_on: bool,
    about: Option<(usize, usize)>,
}

enum Next<'a> {
    Known(bool),
    Ask(Frame<'a>),
}

/// What a discriminator says.
enum Told<'a> {
    /// The value is of this type.
    Variant(&'a Type),
    /// The discriminator isn't known yet, so nothing is.
    Anything,
    /// There is no such variant.
    Nothing,
    /// There is no discriminator in the value, or the value isn't an object.
    NotSaid,
}

impl<'a> Shapes<'a> {
    /// The variant that a value is of. If it fits none, the one that it comes nearest to.
    pub(super) fn choose(
        &mut self,
        ty: &'a Type,
        union: &'a Union,
        value: &'a Value,
    ) -> Result<&'a Type, Mismatch<'a>> {
        if let Some(discriminator) = &union.discriminator {
            match told(self.package, union, discriminator, value) {
                Told::Variant(variant) => return Ok(variant),
                Told::Anything => return Ok(&Type::Any),
                Told::Nothing => {
                    let known = known_values(self.package, union, discriminator);
                    return Err(Mismatch { reason: Reason::NoVariant(known), property: Some(&discriminator.property) });
                }
                Told::NotSaid => {}
            }
        }
        let plausible: Vec<&Type> =
            union.variants.iter().filter(|variant| self.distance(variant, value) == Some(0)).collect();
        if let [only] = plausible.as_slice() {
            return Ok(only);
        }
        for variant in &plausible {
            if self.fits(variant, value) {
                return Ok(variant);
            }
        }
        self.nearest_variant(ty, union, value)
    }

    /// How far a variant is from a value at first sight: the number of members that are wrong. `None` if it is of another
    /// kind.
    fn distance(&self, variant: &'a Type, value: &'a Value) -> Option<usize> {
        if matches!(variant, Type::Union(_)) {
            return Some(0);
        }
        match self.shallow(variant, value) {
            Ok(Shape::Fields(object, ty)) => Some(wrong_members(ty, object)),
            Ok(_) => Some(0),
            Err(_) => None,
        }
    }

    fn nearest_variant(&self, ty: &'a Type, union: &'a Union, value: &'a Value) -> Result<&'a Type, Mismatch<'a>> {
        let distances = union.variants.iter().filter_map(|variant| Some((self.distance(variant, value)?, variant)));
        if let Some((_, variant)) = distances.min_by_key(|(distance, _)| *distance) {
            return Ok(variant);
        }
        // Of the right kind, but wrong otherwise: say that rather than to list all variants.
        let mut specific = union.variants.iter().filter_map(|variant| match self.shallow(variant, value) {
            Err(Mismatch { reason: Reason::Kind(..), .. }) | Ok(_) => None,
            Err(mismatch) => Some(mismatch),
        });
        match (specific.next(), specific.next()) {
            (Some(only), None) => Err(only),
            _ => Err(Reason::Kind(ty, value.kind()).into()),
        }
    }

    /// Whether a value, with all that is below it, is of a type. Unknown values are of every type.
    pub(crate) fn fits(&mut self, ty: &'a Type, value: &'a Value) -> bool {
        let mut frames = vec![Frame { goals: vec![(ty, value)], goes_on: true, about: None }];
        let mut answer = None;
        while let Some(frame) = frames.last_mut() {
            let goes_on = frame.goes_on;
            let verdict = match answer.take() {
                Some(verdict) if verdict != goes_on => Some(verdict),
                _ => match frame.goals.pop() {
                    None => Some(goes_on),
                    Some(goal) => {
                        match self.ask(goal) {
                            Next::Known(known) => answer = Some(known),
                            Next::Ask(frame) => frames.push(frame),
                        }
                        None
                    }
                },
            };
            if let Some(verdict) = verdict {
                if let Some(about) = frames.pop().and_then(|frame| frame.about) {
                    self.memory.0.insert(about, verdict);
                }
                answer = Some(verdict);
            }
        }
        answer.unwrap_or(false)
    }

    fn ask(&self, (ty, value): Goal<'a>) -> Next<'a> {
        let value = value.plain();
        if value.is_unknown() {
            return Next::Known(true);
        }
        let about = (ptr::from_ref(value).addr(), ptr::from_ref(ty).addr());
        if let Some(known) = self.memory.0.get(&about) {
            return Next::Known(*known);
        }
        let all = |goals| Next::Ask(Frame { goals, goes_on: true, about: Some(about) });
        if let Type::Union(union) = ty {
            let told = union.discriminator.as_ref().map(|by| told(self.package, union, by, value));
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
        match self.shallow(ty, value) {
            Err(_) => Next::Known(false),
            Ok(Shape::Leaf) => Next::Known(true),
            Ok(Shape::Items(list, element)) => all(list.iter().map(|item| (element, item)).collect()),
            Ok(Shape::Entries(object, element)) => {
                let members =
                    object.iter().filter(|(name, member)| !is_foreign(name, None) && !member.plain().is_null());
                all(members.map(|(_, member)| (element, member)).collect())
            }
            Ok(Shape::Fields(object, ty)) if wrong_members(ty, object) > 0 => Next::Known(false),
            Ok(Shape::Fields(object, ty)) => {
                all(declared(ty, object).map(|(property, member)| (&property.ty, member)).collect())
            }
        }
    }
}

/// The members of an object that are declared and not null, with their properties.
fn declared<'a>(ty: &'a ObjectType, object: &'a Object) -> impl Iterator<Item = (&'a Property, &'a Value)> {
    let members = object.iter().filter(|(_, member)| !member.plain().is_null());
    members.filter_map(|(name, member)| Some((ty.properties.get(name)?, member)))
}

/// How many members of an object are missing, unknown to the type, or not the constant that they must be.
fn wrong_members(ty: &ObjectType, object: &Object) -> usize {
    let absent = |name: &String| object.get(name).is_none_or(|member| member.plain().is_null());
    let filled = |name: &String| ty.properties.get(name).is_some_and(|property| property.value_if_omitted().is_some());
    let missing = ty.required.iter().filter(|name| absent(name) && !filled(name)).count();
    let unknown = object
        .iter()
        .filter(|(name, member)| {
            !ty.properties.contains_key(*name) && !is_foreign(name, Some(ty)) && !member.plain().is_null()
        })
        .count();
    let unequal = declared(ty, object)
        .filter(|(property, member)| {
            property
                .constant
                .as_ref()
                .is_some_and(|constant| !member.plain().is_unknown() && constant != member.plain())
        })
        .count();
    missing.saturating_add(unknown).saturating_add(unequal)
}

fn told<'a>(package: &'a Package, union: &'a Union, by: &'a Discriminator, value: &'a Value) -> Told<'a> {
    let Value::Object(object) = value else { return Told::NotSaid };
    let said = match object.get(&by.property).map(Value::plain) {
        None | Some(Value::Null) => return Told::NotSaid,
        Some(said) if said.is_unknown() => return Told::Anything,
        Some(said) => said,
    };
    if let Some(token) = said.as_str().and_then(|said| by.mapping.get(said)) {
        let mapped = union.variants.iter().find(|variant| matches!(variant, Type::Object(named) if named == token));
        return mapped.map_or(Told::Nothing, Told::Variant);
    }
    let meant = union.variants.iter().find(|variant| match variant {
        Type::Object(token) => is_meant(package, token, by, said),
        _ => false,
    });
    match meant {
        Some(variant) => Told::Variant(variant),
        // Types of other packages and unions in unions have discriminators that aren't seen from here.
        None if union.variants.iter().any(|variant| matches!(variant, Type::Any | Type::Union(_))) => Told::NotSaid,
        None => Told::Nothing,
    }
}

/// Whether an object type says by a constant, by an enum or by its name that it is the one for a discriminator's value.
fn is_meant(package: &Package, token: &str, by: &Discriminator, said: &Value) -> bool {
    if by.mapping.values().any(|mapped| mapped == token) {
        return false;
    }
    let property = package.object_type(token).and_then(|ty| ty.properties.get(&by.property));
    match property {
        Some(Property { constant: Some(constant), .. }) => constant == said,
        Some(Property { ty: Type::Enum(token), .. }) => package
            .enum_type(token)
            .is_some_and(|enumeration| enumeration.values.iter().any(|allowed| allowed.value == *said)),
        _ => token.rsplit(':').next() == said.as_str(),
    }
}

/// The values of a discriminator that lead to a variant.
fn known_values(package: &Package, union: &Union, by: &Discriminator) -> Vec<String> {
    let mut known: Vec<String> = by.mapping.keys().cloned().collect();
    for variant in &union.variants {
        let Type::Object(token) = variant else { continue };
        if by.mapping.values().any(|mapped| mapped == token) {
            continue;
        }
        let constant = package.object_type(token).and_then(|ty| ty.properties.get(&by.property)?.constant.as_ref());
        let name = constant.and_then(Value::as_str).or_else(|| token.rsplit(':').next());
        known.extend(name.map(str::to_owned));
    }
    known
}
