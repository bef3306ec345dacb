//! Types as the schema spells them.

use super::json::{List, Members};

/// A type as the schema spells it (`typeSpec` of the metaschema).
#[derive(Clone, Debug)]
pub struct TypeSpec {
    shape: Shape,
    /// Whether a component waits for values of the type, which it can't be given as outputs otherwise.
    eventual: bool,
}

#[derive(Clone, Debug)]
enum Shape {
    /// A type without parts.
    Whole(Members),
    /// A list of its part.
    List(Box<TypeSpec>),
    /// A map of its part.
    Map(Box<TypeSpec>),
    /// Any of its parts, and what more is said.
    OneOf(Vec<TypeSpec>, Members),
}

impl From<Shape> for TypeSpec {
    fn from(shape: Shape) -> Self {
        Self { shape, eventual: false }
    }
}

impl TypeSpec {
    /// `boolean`, `integer`, `number` or `string`.
    pub fn primitive(name: &str) -> Self {
        let mut spec = Members::default();
        spec.text("type", name);
        Shape::Whole(spec).into()
    }

    /// A list.
    pub fn list(items: Self) -> Self {
        Shape::List(Box::new(items)).into()
    }

    /// A list of a fixed length, each element of which has a type of its own. The schema has no word for that: it says a list of the type
    /// that all have, or of any of their types.
    pub fn tuple(elements: Vec<Self>) -> Self {
        let mut types: Vec<Self> = Vec::new();
        for element in elements {
            match types.iter_mut().find(|other| other.is_spelt_like(&element)) {
                // Where one element may be an output, each may: the schema can't tell them apart, but whoever reads them does.
                Some(other) => other.join(element),
                None => types.push(element),
            }
        }
        match types.pop() {
            Some(only) if types.is_empty() => Self::list(only),
            last => {
                types.extend(last);
                Self::list(Self::one_of(types))
            }
        }
    }

    fn is_spelt_like(&self, other: &Self) -> bool {
        let spelt = |ty: &Self| ty.clone().into_members().into_object();
        spelt(self) == spelt(other)
    }

    /// The same type, eventual wherever one of both is.
    fn join(&mut self, other: Self) {
        self.eventual |= other.eventual;
        match (&mut self.shape, other.shape) {
            (Shape::List(part), Shape::List(other)) | (Shape::Map(part), Shape::Map(other)) => part.join(*other),
            (Shape::OneOf(parts, _), Shape::OneOf(others, _)) => {
                parts.iter_mut().zip(others).for_each(|(part, other)| part.join(other));
            }
            _ => {}
        }
    }

    /// A map with string keys.
    pub fn map(values: Self) -> Self {
        Shape::Map(Box::new(values)).into()
    }

    /// A type that is described elsewhere: in this document (`#/types/…`) or as part of the language (`pulumi.json#/Any`).
    pub fn reference(address: &str) -> Self {
        let mut spec = Members::default();
        spec.text("$ref", address);
        Shape::Whole(spec).into()
    }

    /// Any of these types.
    pub fn one_of(types: Vec<Self>) -> Self {
        Shape::OneOf(types, Members::default()).into()
    }

    /// Any of these object types, of which a property says which.
    pub fn discriminated(types: Vec<Self>, property: &str) -> Self {
        let mut discriminator = Members::default();
        discriminator.text("propertyName", property);
        let mut more = Members::default();
        more.object("discriminator", discriminator);
        Shape::OneOf(types, more).into()
    }

    /// The same type, given as an output.
    #[must_use]
    pub fn eventual(self) -> Self {
        Self { eventual: true, ..self }
    }

    /// As the schema has it.
    pub(crate) fn into_members(self) -> Members {
        self.spell(false)
    }

    /// The same for what a component is given: what it doesn't take as an output is plain.
    pub(crate) fn into_plain_members(self) -> Members {
        self.spell(true)
    }

    fn spell(self, plain: bool) -> Members {
        let plain = plain && !self.eventual;
        let mut spec = Members::default();
        match self.shape {
            Shape::Whole(members) => spec = members,
            Shape::List(items) => {
                spec.text("type", "array");
                spec.object("items", items.spell(plain));
            }
            Shape::Map(values) => {
                spec.text("type", "object");
                spec.object("additionalProperties", values.spell(plain));
            }
            Shape::OneOf(types, more) => {
                let mut list = List::default();
                for ty in types {
                    list.json(&ty.spell(plain).into_object());
                }
                spec.list("oneOf", list);
                spec.append(more);
            }
        }
        spec.flag("plain", plain);
        spec
    }
}
