//! `schema`: the provider describes itself.

use super::component::{Component, answer};
use crate::bindings::described::exports::bulkhead::provider::schema::Guest;
use crate::bindings::wit::types as wit;
use crate::parameter::Subpackage;

impl<T: Component> Guest for T {
    fn package_schema(subpackage: Option<wit::Subpackage>) -> Result<String, wit::Error> {
        answer(|| match subpackage {
            None => T::provider().schema(),
            Some(made) => T::provider().subpackage_schema(&Subpackage::new(made.name, made.version)),
        })
    }

    fn manifest() -> String {
        T::provider().manifest()
    }
}
