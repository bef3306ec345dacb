//! Record sets: the records of one name and type.

use serde::{Deserialize, Serialize};

use super::server::{self, zone_id};
use super::switched_off::forget;
use super::{Problem, Server};
use crate::dns;

/// The records of one name and type.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct RecordSet {
    /// The name, with a dot at the end.
    pub name: String,
    /// The type, in upper case.
    #[serde(rename = "type")]
    pub kind: String,
    /// How long they may be kept, in seconds.
    #[serde(default)]
    pub ttl: u32,
    /// The records.
    #[serde(default)]
    pub records: Vec<Content>,
    /// What people say about them; none leaves what was said as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<Vec<Comment>>,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Content {
    /// Its content.
    pub content: String,
    /// Whether it is switched off.
    #[serde(default)]
    pub disabled: bool,
}

/// What somebody says about a record set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Comment {
    /// The words.
    pub content: String,
    /// Who says it.
    #[serde(default)]
    pub account: String,
}

/// What to do about some sets.
#[derive(Serialize)]
struct Changes<'a> {
    rrsets: [Change<'a>; 1],
}

/// What becomes of a set.
#[derive(Serialize)]
#[serde(tag = "changetype", rename_all = "UPPERCASE")]
pub(super) enum Change<'a> {
    Replace(&'a RecordSet),
    Delete {
        name: &'a str,
        #[serde(rename = "type")]
        kind: &'a str,
    },
}

/// Some zone's record sets.
#[derive(Deserialize)]
struct Sets {
    #[serde(default)]
    rrsets: Vec<RecordSet>,
}

impl Server {
    /// A record set; none if there is none, or no such zone. Beside records that are handed out, those that aren't may be missing.
    pub fn record_set(&self, zone: &str, name: &str, kind: &str) -> Result<Option<RecordSet>, Problem> {
        self.look_up(zone, name, kind, false)
    }

    /// The same for whoever forgets what isn't there: what others switched off a moment ago is.
    pub fn record_set_anew(&self, zone: &str, name: &str, kind: &str) -> Result<Option<RecordSet>, Problem> {
        self.look_up(zone, name, kind, true)
    }

    fn look_up(&self, zone: &str, name: &str, kind: &str, anew: bool) -> Result<Option<RecordSet>, Problem> {
        let url = self.url(["zones", &zone_id(zone)]).query("rrset_name", name).query("rrset_type", kind);
        let Some(Sets { rrsets }) = self.get(url)? else { return Ok(None) };
        // Sets of other names come along without records where they have comments.
        let found = rrsets.into_iter().find(|set| set.is(name, kind));
        match found.filter(|set| !set.records.is_empty()) {
            Some(set) => Ok(Some(set)),
            None if self.version()?.looks_up_all() => Ok(None),
            None => self.partly_off(zone, name, kind, anew),
        }
    }

    /// The records of a set that are switched off.
    pub fn switched_off(&self, zone: &str, name: &str, kind: &str) -> Result<Vec<Content>, Problem> {
        let set = match self.version()?.looks_up_all() {
            true => self.record_set(zone, name, kind)?,
            false => self.partly_off(zone, name, kind, false)?,
        };
        Ok(set.into_iter().flat_map(|set| set.records).filter(|record| record.disabled).collect())
    }

    /// Puts a set in the place of the one of its name and type, if there is one.
    pub fn replace_record_set(&self, zone: &str, set: &RecordSet) -> Result<(), Problem> {
        self.revise_record_set(zone, set, |_| Ok(()))
    }

    /// The same with a set that depends on the one that is there: nobody here changes the zone in between. Where that can't be seen, nothing was
    /// asked to change yet.
    pub fn revise_record_set(
        &self,
        zone: &str,
        set: &RecordSet,
        revise: impl FnOnce(&mut RecordSet) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let _turn = self.turn()?;
        let mut set = set.clone();
        revise(&mut set).map_err(Problem::before_any_change)?;
        let outcome = self.put_record_set(zone, &set);
        if set.is_partly_off() {
            forget(zone);
        }
        outcome
    }

    /// Asks for a change in a turn. It may be repeated.
    pub(super) fn ask_for_change(&self, zone: &str, change: Change<'_>) -> Result<(), Problem> {
        let changes = Changes { rrsets: [change] };
        self.repeated(&server::patch(self.url(["zones", &zone_id(zone)]), &changes)?).map(drop)
    }

    /// Deletes a set, if it is there.
    pub fn delete_record_set(&self, zone: &str, name: &str, kind: &str) -> Result<(), Problem> {
        let changes = Changes { rrsets: [Change::Delete { name, kind }] };
        let deletion = self.patch(self.url(["zones", &zone_id(zone)]), &changes);
        self.deleted(deletion, || Ok(self.record_set_anew(zone, name, kind)?.is_some()))
    }
}

impl RecordSet {
    /// The contents of the records that are handed out.
    pub fn handed_out(self) -> impl Iterator<Item = String> {
        self.records.into_iter().filter(|record| !record.disabled).map(|record| record.content)
    }

    /// Whether it is the one of this name and type.
    pub(super) fn is(&self, name: &str, kind: &str) -> bool {
        same_name(&self.name, name) && dns::is_same_type(&self.kind, kind)
    }

    /// Whether some of it, or all, is switched off.
    pub(super) fn is_partly_off(&self) -> bool {
        self.records.iter().any(|record| record.disabled)
    }
}

/// Whether two spellings mean one name.
pub(super) fn same_name(one: &str, other: &str) -> bool {
    let bare = |name: &str| name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    bare(one) == bare(other)
}
