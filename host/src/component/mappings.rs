//! The export `mappings`.

use std::sync::Arc;

use bulkhead_policy::Phase;

use super::guest::{ComponentGuest, interface, plain};
use super::instance::Instance;
use crate::provider::{Call, Error, Mapping};

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
            Box::pin(async move {
                let guest = interface!(instance.mappings);
                guest.call_get_mapping(&mut instance.store, &key, provider.as_deref()).await
            })
        });
        let mapping = plain(ended.await)?;
        Ok(mapping.map(|mapping| Mapping { provider: mapping.provider, data: mapping.data }))
    }

    /// Asks for the names that there are mappings for.
    pub(super) async fn mapped_providers(&self, call: Call, key: &str) -> Result<Vec<String>, Error> {
        let key = key.to_owned();
        let ended = self.call(call, Phase::Check, move |instance: &mut Instance| {
            Box::pin(async move {
                let guest = interface!(instance.mappings);
                guest.call_get_mappings(&mut instance.store, &key).await
            })
        });
        plain(ended.await)
    }
}
