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

impl<R: Declared> Property for Ref<R> {
    fn type_spec(_: &mut Types) -> TypeSpec {
        TypeSpec::reference(&format!("#/resources/{}", R::DECLARATION.token.replace('/', "%2F")))
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        let target = match value.into_plain() {
            Value::Reference(Reference { id: Some(ReferenceId::Unknown), .. }) => {
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
