//! What a type makes of one value.

use bulkhead_value::{Kind, List, Object, Value};

use super::{fit::Memory, json::is_json};
use crate::model::{EnumType, ObjectType, Package, Primitive, Type};

/// What a value is to a type that accepts it, as far as the value alone goes: what is below it isn't looked at.
pub(crate) enum Shape<'a> {
    /// Nothing below it has a type of its own.
    Leaf,
    /// A list, and the type of its elements.
    Items(&'a List, &'a Type),
    /// A map, and the type of its members.
    Entries(&'a Object, &'a Type),
    /// An object of an object type.
    Fields(&'a Object, &'a ObjectType),
}

/// Why a type doesn't accept a value.
#[derive(Debug)]
pub(crate) struct Mismatch<'a> {
    pub(crate) reason: Reason<'a>,
    /// The property of the value that is wrong, if it isn't the value itself.
    pub(crate) property: Option<&'a str>,
}

/// What is wrong about a value. Says what was expected, never what was given.
#[derive(Debug)]
pub(crate) enum Reason<'a> {
    /// It is of another kind.
    Kind(&'a Type, Kind),
    /// It is a number, but has a fraction.
    Fraction,
    /// It isn't among these.
    NotAllowed(&'a EnumType),
    /// It has something in it that JSON can't say.
    NotJson,
    /// It is the discriminator of a union, and leads to no variant.
    NoVariant(Vec<String>),
    /// A member of an archive is neither an asset nor an archive.
    StrayMember,
    /// Nobody knows: to find out would take too long.
    TooMuch,
}

impl<'a> From<Reason<'a>> for Mismatch<'a> {
    fn from(reason: Reason<'a>) -> Self {
        Self { reason, property: None }
    }
}

/// Tells shapes, and remembers which values fit which types, so that unions in unions don't take for ever.
///
/// It remembers by address: the values must outlive it, and they don't change meanwhile.
///
/// A schema and a value that were made for it could keep it busy for hours. So it counts its steps, and after the last one
/// no type accepts anything any more.
pub(crate) struct Shapes<'a> {
    pub(crate) package: &'a Package,
    pub(super) memory: Memory,
    /// How many steps there still are; absent once one was wanted that there wasn't.
    left: Option<usize>,
}

/// How many steps there are: looks at a value, a member or a required name. A second at most, since nothing ends it before; and ten times
/// what it takes to go through the largest value that a peer may send where each type is known.
pub(super) const STEPS: usize = 20_000_000;

impl<'a> Shapes<'a> {
    pub(crate) fn new(package: &'a Package) -> Self {
        Self::within(package, STEPS)
    }

    /// One that takes so many steps at most.
    pub(crate) fn within(package: &'a Package, steps: usize) -> Self {
        Self { package, memory: Memory::default(), left: Some(steps) }
    }

    /// Takes some steps, if there are so many left; otherwise they are all gone.
    pub(crate) fn take(&mut self, steps: usize) -> bool {
        self.left = self.left.and_then(|left| left.checked_sub(steps));
        self.left.is_some()
    }

    /// How many steps there still are.
    pub(super) fn left(&self) -> usize {
        self.left.unwrap_or(0)
    }

    /// Whether there weren't enough steps.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.is_none()
    }

    /// The shape of a value, which is neither secret nor unknown: see [`Value::plain`].
    pub(crate) fn of(&mut self, ty: &'a Type, value: &'a Value) -> Result<Shape<'a>, Mismatch<'a>> {
        let ty = self.variant(ty, value)?;
        if !self.take(1) {
            return Err(Reason::TooMuch.into());
        }
        self.shallow(ty, value)
    }

    /// The type itself, or the variant of the union that the value is of: any, while that isn't known.
    pub(crate) fn variant(&mut self, ty: &'a Type, value: &'a Value) -> Result<&'a Type, Mismatch<'a>> {
        Ok(self.told(ty, value)?.unwrap_or(&Type::Any))
    }

    /// Whether a value is of a union and will be of a variant that isn't known yet.
    pub(crate) fn is_open(&mut self, ty: &'a Type, value: &'a Value) -> bool {
        matches!(self.told(ty, value), Ok(None))
    }

    fn told(&mut self, ty: &'a Type, value: &'a Value) -> Result<Option<&'a Type>, Mismatch<'a>> {
        let whole = ty;
        let mut ty = ty;
        // A variant may be a union again, but no union is its own variant: types of that form are nested in the document.
        while let Type::Union(union) = ty {
            let told = self.choose(ty, union, value).map_err(|mismatch| match mismatch.reason {
                Reason::Kind(_, kind) => Reason::Kind(whole, kind).into(),
                _ => mismatch,
            })?;
            let Some(variant) = told else { return Ok(None) };
            ty = variant;
        }
        Ok(Some(ty))
    }

    /// The shape of a value for a type that isn't a union.
    pub(super) fn shallow(&self, ty: &'a Type, value: &'a Value) -> Result<Shape<'a>, Mismatch<'a>> {
        let wrong = || Err(Reason::Kind(ty, value.kind()).into());
        match (ty, value) {
            (Type::Any, _)
            | (Type::Boolean, Value::Bool(_))
            | (Type::Number, Value::Number(_))
            | (Type::String, Value::String(_) | Value::Bytes(_))
            | (Type::Asset, Value::Asset(_))
            | (Type::Resource(_), Value::Reference(_) | Value::String(_)) => Ok(Shape::Leaf),
            (Type::Asset | Type::Archive, Value::Archive(archive)) => match archive.stray_member() {
                None => Ok(Shape::Leaf),
                Some(_) => Err(Reason::StrayMember.into()),
            },
            // Above 2^53 there are whole numbers too, if not all: what came here is exact.
            (Type::Integer, Value::Number(number)) if number.fract() == 0.0 => Ok(Shape::Leaf),
            (Type::Integer, Value::Number(_)) => Err(Reason::Fraction.into()),
            (Type::Json, Value::Asset(_) | Value::Archive(_) | Value::Reference(_)) => wrong(),
            (Type::Json, value) if is_json(value) => Ok(Shape::Leaf),
            (Type::Json, _) => Err(Reason::NotJson.into()),
            (Type::Array(element), Value::List(list)) => Ok(Shape::Items(list, element)),
            (Type::Map(element), Value::Object(object)) => Ok(Shape::Entries(object, element)),
            (Type::Object(token), Value::Object(object)) => match self.package.object_type(token) {
                Some(ty) => Ok(Shape::Fields(object, ty)),
                // The parser lets no such token through; a package made by hand may have one.
                None => Ok(Shape::Leaf),
            },
            (Type::Enum(token), value) => match self.package.enum_type(token) {
                Some(enumeration) => among(ty, enumeration, value),
                None => Ok(Shape::Leaf),
            },
            _ => wrong(),
        }
    }
}

fn among<'a>(ty: &'a Type, enumeration: &'a EnumType, value: &'a Value) -> Result<Shape<'a>, Mismatch<'a>> {
    let of_type = matches!(
        (enumeration.underlying, value),
        (Primitive::Boolean, Value::Bool(_))
            | (Primitive::Integer | Primitive::Number, Value::Number(_))
            | (Primitive::String, Value::String(_))
    );
    if !of_type {
        return Err(Reason::Kind(ty, value.kind()).into());
    }
    if enumeration.values.is_empty() || enumeration.has(value) {
        return Ok(Shape::Leaf);
    }
    Err(Reason::NotAllowed(enumeration).into())
}
