//! `schema`: the provider describes itself.

use super::component::{Component, answer};
use crate::bindings::described::exports::bulkhead::provider::schema::Guest;
use crate::bindings::wit::types as wit;
use crate::error::Error;

impl<T: Component> Guest for T {
    fn package_schema(subpackage: Option<wit::Subpackage>) -> Result<String, wit::Error> {
        answer(|| match subpackage {
            None => T::provider().schema(),
            Some(_) => Err(Error::unsupported("the provider takes no parameters")),
        })
    }

    fn manifest() -> String {
        T::provider().manifest()
    }
}
