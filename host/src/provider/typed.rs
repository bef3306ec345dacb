//! Inputs as a guest gets them: of the types that the schema says, though engines keep them as they were given.

use std::borrow::Cow;

use bulkhead_schema::Resource;
use bulkhead_value::Object;

use super::{Prior, Session};

impl Session {
    /// Inputs with every scalar in the spelling of its type, where the schema lets users choose another.
    pub(super) fn typed<'i>(&self, resource: &Resource, inputs: &'i Object) -> Cow<'i, Object> {
        bulkhead_schema::typed(&self.package, &resource.inputs, inputs)
    }

    /// The same for inputs on record.
    pub(super) fn typed_prior<'p>(&self, resource: &Resource, prior: &'p Prior) -> Cow<'p, Prior> {
        match prior.inputs.as_ref().map(|inputs| self.typed(resource, inputs)) {
            Some(Cow::Owned(inputs)) => Cow::Owned(Prior { inputs: Some(inputs), ..prior.clone() }),
            _ => Cow::Borrowed(prior),
        }
    }
}
