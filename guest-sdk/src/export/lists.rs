//! `lists`: what exists, page by page.

use super::component::{Component, answer, config};
use crate::bindings::listing::exports::bulkhead::provider::lists::{Guest, ListItem, ListRequest, Page};
use crate::bindings::wit::types as wit;
use crate::error::Error;
use crate::list::{Listed, RawList};
use crate::value::{decode_fields, encode_fields};

impl<T: Component> Guest for T {
    fn list_page(request: ListRequest) -> Result<Page, wit::Error> {
        answer(|| {
            let entry = T::provider().list(&request.token)?;
            let limit = request.limit.map(|limit| limit.parse());
            let page = (entry.list)(
                RawList {
                    query: decode_fields(request.query)?,
                    limit: limit.transpose().map_err(|_| Error::bug("the host's limit isn't a number"))?,
                    page_size: request.page_size,
                    continuation: request.continuation,
                },
                &config::<T>,
            )?;
            Ok(Page { items: page.items.into_iter().map(item).collect(), continuation: page.continuation })
        })
    }
}

fn item(listed: Listed) -> ListItem {
    ListItem { id: listed.id, name: listed.name, state: listed.state.map(encode_fields) }
}
