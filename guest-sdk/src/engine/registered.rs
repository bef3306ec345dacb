//! A resource of this package, registered.

use std::fmt;
use std::ops::Deref;

use super::lifted::{Registrable, Whole};
use super::registration::Registration;
use crate::error::Error;
use crate::output::stop::stop;
use crate::output::{Input, Output, Resolved};
use crate::value::{Ref, Value};

/// A resource of this package that was registered, read or looked up. Its fields are those of `R`, each an [`Output`].
pub struct Registered<R: Registrable> {
    outputs: R::Outputs,
    registration: Registration,
}

impl<R: Registrable> Registered<R> {
    pub(crate) fn new(registration: Registration) -> Self {
        Self { outputs: R::lift(&Whole::Resource(registration.clone())), registration }
    }

    /// Its URN.
    pub fn urn(&self) -> Output<String> {
        self.registration.urn()
    }

    /// Its id. Unknown in a preview of its creation. Components have none, so that asking ends the call.
    pub fn id(&self) -> Output<String> {
        self.registration.id()
    }

    /// A reference to it, for inputs and outputs that are resources.
    pub fn reference(&self) -> Output<Ref<R>>
    where
        R: 'static,
    {
        self.registration.reference().look(|reference| {
            let value = reference.wire.as_deref().cloned().unwrap_or(Value::Unknown);
            Resolved::read(value).map_err(|misfit| stop(Error::bug(format!("a reference isn't one: {misfit}"))))
        })
    }
}

impl<R: Registrable> Deref for Registered<R> {
    type Target = R::Outputs;

    fn deref(&self) -> &R::Outputs {
        &self.outputs
    }
}

impl<R: Registrable> AsRef<Registration> for Registered<R> {
    fn as_ref(&self) -> &Registration {
        &self.registration
    }
}

impl AsRef<Self> for Registration {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<R: Registrable> fmt::Debug for Registered<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.registration.fmt(formatter)
    }
}

impl<R: Registrable + 'static> From<&Registered<R>> for Input<Ref<R>> {
    fn from(resource: &Registered<R>) -> Self {
        resource.reference().into()
    }
}

impl<R: Registrable + 'static> From<&Registered<R>> for Input<Option<Ref<R>>> {
    fn from(resource: &Registered<R>) -> Self {
        resource.reference().into()
    }
}

impl<R: Registrable> From<&Registered<R>> for Value {
    fn from(resource: &Registered<R>) -> Self {
        resource.registration.reference().into()
    }
}

impl From<&Registration> for Value {
    fn from(resource: &Registration) -> Self {
        resource.reference().into()
    }
}

/// The reference as any value.
impl<R: Registrable> From<&Registered<R>> for Input<Value> {
    fn from(resource: &Registered<R>) -> Self {
        resource.registration.reference().into()
    }
}

impl From<&Registration> for Input<Value> {
    fn from(resource: &Registration) -> Self {
        resource.reference().into()
    }
}
