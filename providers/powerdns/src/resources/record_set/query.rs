//! Lists of record sets: of one zone, or of all.
//!
//! To know the sets of a zone is to fetch it, so no zone is fetched that a page has no room for, or that earlier pages had.

use bulkhead_sdk::list::{List, Listed, Lists, Page};
use bulkhead_sdk::{Error, Inputs, Result};

use super::RecordSet;
use crate::api::Server;
use crate::dns::{self, Name};
use crate::id::RecordSetId;

/// What narrows down a list of record sets.
#[derive(Inputs)]
pub struct RecordSetQuery {
    /// The zone; all zones if left out.
    zone: Option<String>,
    /// The type.
    #[bulkhead(rename = "type")]
    kind: Option<String>,
}

impl RecordSetQuery {
    /// The zones that it is about, in the order of their names.
    fn zones(&self, server: &Server) -> Result<Vec<Name>> {
        if let Some(zone) = &self.zone {
            let zone =
                Name::parse(zone).map_err(|error| Error::rejected("zone", format!("must be a name: {error}")))?;
            return Ok(vec![zone]);
        }
        let mut zones: Vec<Name> = server.zones()?.iter().filter_map(|zone| Name::parse(&zone.name).ok()).collect();
        zones.sort();
        Ok(zones)
    }

    /// The ids of what a zone has of it, always in the same order.
    fn sets(&self, server: &Server, zone: &Name) -> Result<Vec<RecordSetId>> {
        let found = server.zone_with_records(zone.as_str())?.map(|zone| zone.rrsets).unwrap_or_default();
        let wanted = |kind: &str| self.kind.as_ref().is_none_or(|wanted| dns::is_same_type(wanted, kind));
        let sets = found.into_iter().filter(|set| !set.records.is_empty() && wanted(&set.kind));
        let id = |set: crate::api::RecordSet| {
            Some(RecordSetId { zone: zone.clone(), name: Name::parse(&set.name).ok()?, kind: set.kind })
        };
        let mut ids: Vec<RecordSetId> = sets.filter_map(id).collect();
        ids.sort_by(|one, other| (&one.name, &one.kind).cmp(&(&other.name, &other.kind)));
        Ok(ids)
    }
}

/// Where a page starts: so many sets into a zone.
struct Place {
    zone: Name,
    sets: usize,
}

impl Place {
    fn parse(continuation: &str) -> Result<Self> {
        let place = continuation.rsplit_once(' ').and_then(|(zone, sets)| {
            let (zone, sets) = (Name::parse(zone).ok()?, sets.parse().ok()?);
            Some(Self { zone, sets })
        });
        place.ok_or_else(|| Error::failed("the list can't go on there: the continuation is another's"))
    }
}

impl Lists for RecordSet {
    type Query = RecordSetQuery;

    fn list(request: List<Self>) -> Result<Page> {
        let server = request.config.server()?;
        let start = request.continuation.as_deref().map(Place::parse).transpose()?;
        let room = request.page_size.map(u64::from).into_iter().chain(request.limit).min();
        let room = room.map_or(usize::MAX, |room| usize::try_from(room).unwrap_or(usize::MAX));
        let mut items = Vec::new();
        for zone in request.query.zones(server)? {
            let before = match &start {
                Some(start) if zone < start.zone => continue,
                Some(start) if zone == start.zone => start.sets,
                _ => 0,
            };
            for (number, id) in request.query.sets(server, &zone)?.into_iter().enumerate().skip(before) {
                if items.len() == room {
                    return Ok(Page { items, continuation: Some(format!("{zone} {number}")) });
                }
                let called = format!("{} {}", id.name.without_dot(), id.kind);
                items.push(Listed::new(id.to_string()).with_name(called));
            }
        }
        Ok(Page { items, continuation: None })
    }
}
