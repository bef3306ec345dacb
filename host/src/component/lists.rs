//! The export `lists`.

use std::sync::Arc;

use bulkhead_policy::Phase;

use super::call::Running;
use super::guest::{ComponentGuest, export, looked};
use super::instance::Instance;
use super::replying::called;
use crate::provider::{Call, Error, Page, PageRequest};
use crate::wit;

impl ComponentGuest {
    /// Asks for some resources.
    pub(super) async fn page(&self, call: Call, request: &PageRequest) -> Result<Page, Error> {
        let request = wit::list_request(call.guests_token(), request);
        let limits = self.limits(&request);
        let page = looked(self.call(call, Phase::List, export!(lists.list_page(request))).await)?;
        wit::page(page, &limits).map_err(wit::malformed)
    }
}
