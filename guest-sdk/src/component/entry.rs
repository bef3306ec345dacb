//! Components in the provider's table, their types forgotten.

use super::construct::{RawConstruct, RawConstructed, construct};
use super::lifecycle::Component;
use crate::config::{Serves, Source};
use crate::error::Result;
use crate::record::Record;
use crate::resource::Declaration;
use crate::schema::PropertySet;

type ConstructMethod<C> = fn(RawConstruct, Source<'_, C>) -> Result<RawConstructed>;

/// A component in the provider's table.
pub struct Entry<C> {
    pub(crate) declaration: Declaration,
    pub(crate) description: &'static str,
    pub(crate) inputs: fn(&mut PropertySet<'_>),
    pub(crate) state: fn(&mut PropertySet<'_>),
    pub(crate) construct: ConstructMethod<C>,
}

impl<C> Entry<C> {
    /// The entry of `T`. For `provider!`.
    pub const fn of<T: Component>() -> Self
    where
        C: Serves<T::Config>,
    {
        Self {
            declaration: T::DECLARATION,
            description: T::DESCRIPTION,
            inputs: <T::Inputs as Record>::describe,
            state: <T as Record>::describe,
            construct: construct::<T, C>,
        }
    }
}
