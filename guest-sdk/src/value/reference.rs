//! Other resources of the deployment.

use std::fmt;
use std::marker::PhantomData;

use super::{Misfit, Property, Value};
use crate::resource::Declared;
use crate::schema::{TypeSpec, Types};

/// Another resource of the deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The resource's URN.
    pub urn: String,
    /// The resource's id; absent for components.
    pub id: Option<ReferenceId>,
    /// The version of the package that defines the resource, or the empty string.
    pub package_version: String,
}

impl Reference {
    /// Whether there is something to refer to yet. An id that is there and empty is unknown, as engines have it.
    pub fn is_known(&self) -> bool {
        match &self.id {
            None => true,
            Some(ReferenceId::Known(id)) => !id.is_empty(),
            Some(ReferenceId::Unknown) => false,
        }
    }
}

/// The id inside a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceId {
    /// The id.
    Known(String),
    /// The resource isn't created yet.
    Unknown,
}

/// A property that is a resource of the type `R`, which is one of this package.
///
/// Engines that send no references send the id instead, or the URN if there is no id; both are read.
pub struct Ref<R> {
    target: Target,
    resource: PhantomData<fn() -> R>,
}

#[derive(Clone, Debug, PartialEq)]
enum Target {
    Reference(Reference),
    /// An id or a URN.
    Text(String),
}

impl<R> Ref<R> {
    /// What stands for the resource outside of a deployment: its id, or its URN if it has none.
    pub fn id_or_urn(&self) -> &str {
        match &self.target {
            Target::Reference(Reference { id: Some(ReferenceId::Known(id)), .. }) => id,
            Target::Reference(reference) => &reference.urn,
            Target::Text(text) => text,
        }
    }

    /// The reference, where the engine sent one.
    pub fn reference(&self) -> Option<&Reference> {
        if let Target::Reference(reference) = &self.target { Some(reference) } else { None }
    }
}

impl<R> From<Reference> for Ref<R> {
    fn from(reference: Reference) -> Self {
        Self { target: Target::Reference(reference), resource: PhantomData }
    }
}

impl<R: Declared + 'static> Property for Ref<R> {
    type Plain = Self;

    fn type_spec(types: &mut Types) -> TypeSpec {
        types.resource(R::DECLARATION.token)
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        let target = match value.into_plain() {
            Value::Reference(reference) if !reference.is_known() => {
                return Err(Misfit::expected("a resource", &Value::Unknown));
            }
            Value::Reference(reference) => Target::Reference(reference),
            Value::Text(text) => Target::Text(text),
            other => return Err(Misfit::expected("a resource", &other)),
        };
        Ok(Self { target, resource: PhantomData })
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(match &self.target {
            Target::Reference(reference) => Value::Reference(reference.clone()),
            Target::Text(text) => Value::Text(text.clone()),
        })
    }
}

impl<R> Clone for Ref<R> {
    fn clone(&self) -> Self {
        Self { target: self.target.clone(), resource: PhantomData }
    }
}

impl<R> PartialEq for Ref<R> {
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target
    }
}

impl<R> fmt::Debug for Ref<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.target.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::{Declaration, Methods};

    struct Zone;

    impl Declared for Zone {
        type Lookup = ();
        const DECLARATION: Declaration = Declaration {
            token: "dns:zones/zone:Zone",
            aliases: &[],
            deprecated: None,
            delete_before_replace: false,
            schema_version: 0,
            same_inputs: false,
            methods: Methods::NONE,
        };
    }

    fn reference(id: Option<ReferenceId>) -> Value {
        let urn = "urn:pulumi:dev::p::dns:zones/zone:Zone::main".to_owned();
        Value::Reference(Reference { urn, id, package_version: String::new() })
    }

    /// Nothing looks a reference up: it is its id, or its URN if it has none.
    #[test]
    fn a_reference_is_its_id_or_its_urn() {
        for (value, stands_for) in [
            (reference(Some(ReferenceId::Known("z-1".to_owned()))), "z-1"),
            (reference(None), "urn:pulumi:dev::p::dns:zones/zone:Zone::main"),
            (Value::from("z-2").secret(), "z-2"),
        ] {
            let zone = Ref::<Zone>::from_value(value.clone()).unwrap();
            assert_eq!(zone.id_or_urn(), stands_for);
            assert_eq!(&zone.to_value().unwrap(), value.plain());
        }
    }

    #[test]
    fn a_resource_that_isnt_there_yet_is_unknown() {
        for id in [ReferenceId::Unknown, ReferenceId::Known(String::new())] {
            let error = Ref::<Zone>::from_value(reference(Some(id))).unwrap_err();
            assert_eq!(error.to_string(), "the value isn't known yet");
        }
        let error = Ref::<Zone>::from_value(Value::from(1)).unwrap_err();
        assert_eq!(error.to_string(), "the value must be a resource, not a number");
    }
}
