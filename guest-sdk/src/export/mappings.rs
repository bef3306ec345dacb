//! `mappings`: names of other ecosystems.

use super::component::{Component, answer};
use crate::bindings::mapped::exports::bulkhead::provider::mappings::{Guest, Mapping};
use crate::bindings::wit::types as wit;
use crate::error::{Error, Result};
use crate::mapping::{Mappings, find};

impl<T: Component> Guest for T {
    fn get_mapping(key: String, provider: Option<String>) -> Result<Option<Mapping>, wit::Error> {
        answer(|| {
            let mapping = find(mappings::<T>()?, &key, provider.as_deref())?;
            Ok(mapping
                .map(|mapping| Mapping { provider: mapping.provider.into_owned(), data: mapping.data.into_owned() }))
        })
    }

    fn get_mappings(key: String) -> Result<Vec<String>, wit::Error> {
        answer(|| {
            let all = mappings::<T>()?(&key)?;
            Ok(all.into_iter().map(|mapping| mapping.provider.into_owned()).collect())
        })
    }
}

fn mappings<T: Component>() -> Result<Mappings> {
    T::provider().mappings.ok_or_else(|| Error::unsupported("the provider has no mappings"))
}
