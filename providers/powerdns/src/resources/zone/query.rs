//! Lists of zones, for [`Lists`] and for the function that looks zones up.

use bulkhead_sdk::list::{List, Listed, Lists, Page};
use bulkhead_sdk::{Enum, Error, Inputs, Result};

use super::Zone;
use super::kind::{ZoneKind, wire};
use crate::api::{self, Server};
use crate::dns::Name;

/// What narrows down a list of zones.
#[derive(Inputs)]
pub struct ZoneQuery {
    /// The kind.
    kind: Option<ZoneKind>,
    /// Whose they are.
    account: Option<String>,
    /// A zone below which they are.
    below: Option<String>,
}

impl ZoneQuery {
    pub(crate) fn new(kind: Option<ZoneKind>, account: Option<String>, below: Option<String>) -> Self {
        Self { kind, account, below }
    }

    /// The zones that it is about, in the order of their names.
    pub(crate) fn find(&self, server: &Server) -> Result<Vec<api::Zone>> {
        let below = match &self.below {
            Some(name) => {
                Some(Name::parse(name).map_err(|error| Error::rejected("below", format!("must be a name: {error}")))?)
            }
            None => None,
        };
        let is_below = |zone: &api::Zone| match &below {
            Some(below) => Name::parse(&zone.name).is_ok_and(|name| name.is_within(below)),
            None => true,
        };
        // Variants of zones for views aren't called by names, and none of the resources has one.
        let is_named = |zone: &api::Zone| Name::parse(&zone.name).is_ok();
        let mut zones = server.zones()?;
        zones.retain(|zone| {
            self.kind.is_none_or(|kind| wire(kind.text()) == wire(&zone.kind))
                && self.account.as_ref().is_none_or(|account| *account == zone.account)
                && is_named(zone)
                && is_below(zone)
        });
        zones.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(zones)
    }
}

impl Lists for Zone {
    type Query = ZoneQuery;

    fn list(request: List<Self>) -> Result<Page> {
        let found = request.query.find(request.config.server()?)?;
        request.page(found.into_iter().map(|zone| Listed::new(zone.name.clone()).with_name(zone.name)))
    }
}
