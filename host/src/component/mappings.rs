//! The export `mappings`.

use bulkhead_policy::Phase;

use super::guest::{ComponentGuest, looked};
use super::instance::Instance;
use super::replying::called;
use crate::provider::{Call, Error, Mapping};
use crate::wit::bindings::exports::mappings;

impl ComponentGuest {
    /// Asks for a mapping.
    pub(super) async fn one_mapping(
        &self,
        call: Call,
        key: &str,
        provider: Option<&str>,
    ) -> Result<Option<Mapping>, Error> {
        let (key, provider) = (key.to_owned(), provider.map(str::to_owned));
        let ended = self.call(call, Phase::Check, move |instance: &mut Instance| {
            Box::pin(async move { called(instance, "mappings", "get_mapping", (key, provider)).await })
        });
        let mapping: Option<mappings::Mapping> = looked(ended.await)?;
        Ok(mapping.map(|mapping| Mapping { provider: mapping.provider, data: mapping.data }))
    }

    /// Asks for the names that there are mappings for.
    pub(super) async fn mapped_providers(&self, call: Call, key: &str) -> Result<Vec<String>, Error> {
        let key = key.to_owned();
        let ended = self.call(call, Phase::Check, move |instance: &mut Instance| {
            Box::pin(async move { called(instance, "mappings", "get_mappings", (key,)).await })
        });
        looked(ended.await)
    }
}
