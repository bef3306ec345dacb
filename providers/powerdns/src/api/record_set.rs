//! Record sets: the records of one name and type.

use serde::{Deserialize, Serialize};

use super::server::{self, zone_id};
use super::{Problem, Server};

/// How many records a search for those that are switched off may find.
const FOUND: &str = "10000";

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

#[derive(Serialize)]
#[serde(tag = "changetype", rename_all = "UPPERCASE")]
enum Change<'a> {
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

/// A record that a search found.
#[derive(Deserialize)]
struct Found {
    name: String,
    zone: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    ttl: u32,
    content: String,
    #[serde(default)]
    disabled: bool,
}

impl Server {
    /// A record set; none if there is none, or no such zone.
    pub fn record_set(&self, zone: &str, name: &str, kind: &str) -> Result<Option<RecordSet>, Problem> {
        let url = self.url(["zones", &zone_id(zone)]).query("rrset_name", name).query("rrset_type", kind);
        let Some(Sets { rrsets }) = self.get(url)? else { return Ok(None) };
        // Sets of other names come along without records where they have comments.
        let same = |set: &RecordSet| same(&set.name, name) && same(&set.kind, kind);
        match rrsets.into_iter().find(same) {
            Some(set) if !set.records.is_empty() => Ok(Some(set)),
            found => self.switched_off(zone, name, kind, found.and_then(|set| set.comments)),
        }
    }

    /// Records that are switched off are in no zone that is asked for by name, but are found by a search.
    fn switched_off(
        &self,
        zone: &str,
        name: &str,
        kind: &str,
        comments: Option<Vec<Comment>>,
    ) -> Result<Option<RecordSet>, Problem> {
        let query = name.strip_suffix('.').filter(|name| !name.is_empty()).unwrap_or(name);
        let url = self.url(["search-data"]).query("q", query).query("max", FOUND).query("object_type", "record");
        let found: Vec<Found> = self.get(url)?.unwrap_or_default();
        let wanted = |found: &&Found| same(&found.zone, zone) && same(&found.name, name) && same(&found.kind, kind);
        let wanted: Vec<&Found> = found.iter().filter(wanted).collect();
        let records =
            wanted.iter().map(|found| Content { content: found.content.clone(), disabled: found.disabled }).collect();
        let set = |first: &&Found| RecordSet {
            name: name.to_owned(),
            kind: kind.to_owned(),
            ttl: first.ttl,
            records,
            comments,
        };
        Ok(wanted.first().map(set))
    }

    /// Puts a set in the place of the one of its name and type, if there is one.
    pub fn replace_record_set(&self, zone: &str, set: &RecordSet) -> Result<(), Problem> {
        self.patch(self.url(["zones", &zone_id(zone)]), &Changes { rrsets: [Change::Replace(set)] })
    }

    /// The same with a set that depends on the one that is there: nobody here changes the zone in between.
    pub fn revise_record_set(
        &self,
        zone: &str,
        set: &mut RecordSet,
        revise: impl FnOnce(&RecordSet, &mut RecordSet),
    ) -> Result<(), Problem> {
        let _turn = self.turn()?;
        if let Some(found) = self.record_set(zone, &set.name, &set.kind)? {
            revise(&found, set);
        }
        let changes = Changes { rrsets: [Change::Replace(set)] };
        self.repeated(&server::patch(self.url(["zones", &zone_id(zone)]), &changes)?).map(drop)
    }

    /// Deletes a set, if it is there.
    pub fn delete_record_set(&self, zone: &str, name: &str, kind: &str) -> Result<(), Problem> {
        let changes = Changes { rrsets: [Change::Delete { name, kind }] };
        self.deleted(self.patch(self.url(["zones", &zone_id(zone)]), &changes))
    }
}

fn same(one: &str, other: &str) -> bool {
    let bare = |name: &str| name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    bare(one) == bare(other)
}
