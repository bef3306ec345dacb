//! Records that are switched off, as servers before 5.0 tell of them.
//!
//! Their look-ups by name leave such records out, and what isn't known to be there is overwritten. Only a whole zone has them. (A search does,
//! too, but reads all zones and records of the server for it, and stops after some.) So that not each of a thousand sets has its zone
//! listed, it is remembered for a moment which sets of a zone have any, by all that are configured alike. Mostly none has.

use std::time::{Duration, SystemTime};

use bulkhead_sdk::session;
use serde::{Deserialize, Serialize};

use super::record_set::same_name;
use super::{Problem, RecordSet, Server};
use crate::dns;

/// How long a zone's list is believed. Others who switch something off meanwhile are as close to a change as if they did during it.
const BELIEVED: Duration = Duration::from_secs(10);

/// Which sets of a zone are switched off, in part or as a whole.
#[derive(Debug, Deserialize, Serialize)]
struct Noted {
    /// When the zone was listed.
    at: SystemTime,
    /// Their names and types.
    sets: Vec<(String, String)>,
}

impl Server {
    /// A set of which something is switched off, as a whole; none if there is none, or no such zone. Listed `anew`, or as a moment ago.
    pub(super) fn partly_off(
        &self,
        zone: &str,
        name: &str,
        kind: &str,
        anew: bool,
    ) -> Result<Option<RecordSet>, Problem> {
        if !anew && noted(zone).is_some_and(|noted| !noted.has(name, kind)) {
            return Ok(None);
        }
        let at = SystemTime::now();
        let Some(mut listed) = self.zone_with_records(zone)? else { return Ok(None) };
        listed.rrsets.retain(RecordSet::is_partly_off);
        let sets = listed.rrsets.iter().map(|set| (set.name.clone(), set.kind.clone())).collect();
        note(zone, &Noted { at, sets });
        Ok(listed.rrsets.into_iter().find(|set| set.is(name, kind)))
    }
}

impl Noted {
    /// Whether the list may still be believed.
    fn is_fresh(&self) -> bool {
        self.at.elapsed().is_ok_and(|age| age < BELIEVED)
    }

    fn has(&self, name: &str, kind: &str) -> bool {
        self.sets.iter().any(|(called, of)| same_name(called, name) && dns::is_same_type(of, kind))
    }
}

fn key(zone: &str) -> String {
    format!("switched off in {zone}")
}

/// What is remembered of a zone, if it was listed a moment ago.
fn noted(zone: &str) -> Option<Noted> {
    let noted: Noted = serde_json::from_slice(&session::get(&key(zone))?).ok()?;
    Some(noted).filter(Noted::is_fresh)
}

fn note(zone: &str, noted: &Noted) {
    // Where there is no room for it, the zone is listed again.
    let _ = serde_json::to_vec(noted).map(|noted| session::set(&key(zone), &noted));
}

/// Believes no list of a zone any more, since something in it was switched off.
pub(super) fn forget(zone: &str) {
    // What takes no room always finds some.
    let _ = session::set(&key(zone), &[]);
}
