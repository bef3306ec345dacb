//! [`RecordSet`].

mod query;
mod refused;

use std::collections::BTreeSet;

use bulkhead_sdk::resource::{Check, Checked, Diff, Difference};
use bulkhead_sdk::{
    Create, Created, Delete, Error, Inputs, Object, Read, Resource, Result, Snapshot, State, Update, Updated, log,
    resource,
};

pub use query::RecordSetQuery;

use super::change::changed_or_attempted;
use super::creation::made;
use super::reading::{self, Known};
use crate::api::{self, Content, Problem, Server};
use crate::dns::{self, Name};
use crate::given;
use crate::id::RecordSetId;
use crate::settings::Settings;

/// Types of which a name has one record at most.
const SINGLE: &[&str] = &["CNAME", "DNAME", "SOA"];
/// Types that only the zone's own name has.
const AT_APEX: &[&str] = &["SOA", "DNSKEY"];

/// The records of one name and type.
#[derive(Clone, Debug, Inputs)]
pub struct RecordSetArgs {
    /// The zone.
    #[bulkhead(replace)]
    zone: String,
    /// The name: full (`www.example.org`), relative to the zone (`www`), or `@` for the zone's own.
    #[bulkhead(replace)]
    name: String,
    /// The type, such as `A`, `MX` or `TXT`. Types that the server knows and this provider doesn't are handed on as they are.
    #[bulkhead(replace, rename = "type")]
    kind: String,
    /// How long the records may be kept by others, in seconds.
    #[bulkhead(default = 3600, maximum = 2_147_483_647)]
    ttl: u32,
    /// The contents of the records, as zone files have them. Names in them are full ones, with or without a dot at the end. Texts need no
    /// quotation marks: without any, the whole content is the text, and long ones are split.
    #[bulkhead(min_items = 1)]
    records: Vec<String>,
    /// Whether the records are switched off: kept, but not handed out.
    #[bulkhead(default = false)]
    disabled: bool,
    /// What to remember about the records. Left out, the comments that there are stay.
    #[bulkhead(output_default = None)]
    comments: Option<Vec<Comment>>,
}

/// What to remember about records.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
pub struct Comment {
    /// The words.
    content: String,
    /// Who says it.
    #[bulkhead(default = "")]
    account: String,
}

/// The records of one name and type.
///
/// The order of the records and their spelling make no difference. To import a set, give `zone:name:type` as the id, such as
/// `example.org.:www.example.org.:A`.
#[derive(Clone, Debug, State)]
pub struct RecordSet {
    #[bulkhead(flatten)]
    args: RecordSetArgs,
    /// The full name, with a dot at the end.
    #[bulkhead(stable)]
    fqdn: String,
}

#[resource(token = "powerdns:index:RecordSet")]
impl Resource for RecordSet {
    type Inputs = RecordSetArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let (server, id) = (request.config.server()?, args.id()?);
        let before: Option<&[String]> = if comes_with_zone(&id) { Some(&[]) } else { None };
        let attempt = args.replace(server, &id, args.comments.as_deref(), before)?;
        let look =
            || -> Result<_, Problem> { Ok(server.record_set(id.zone.as_str(), id.name.as_str(), &id.kind)?.map(drop)) };
        match attempt {
            // It was there in any case, and is taken over again where this had no effect.
            attempt if comes_with_zone(&id) => attempt?,
            // It is there, but not as it was meant.
            Err(problem @ Problem::Misread { .. }) => return Err(Error::outcome_unknown(problem)),
            attempt => made(attempt, look, ("record set", &id.to_string()), Error::from)?,
        }
        Ok(Created::new(id.to_string(), Self { fqdn: id.name.to_string(), args }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        reading::read(request)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let args = &request.inputs;
        let (server, id) = (request.config.server()?, args.id()?);
        // After an attempt that failed the state says what that asked for, and the inputs what was asked before: either may be there.
        let asked = request.prior.inputs().ok().flatten();
        let prior: Vec<RecordSetArgs> =
            request.prior.state().ok().map(|state| state.args).into_iter().chain(asked).collect();
        // Comments that the program no longer gives go; those that it never gave stay.
        let had_comments = prior.iter().any(|prior| prior.comments.is_some());
        let comments = args.comments.as_deref().or(if had_comments { Some(&[]) } else { None });
        let before: Vec<String> = prior.into_iter().flat_map(|prior| prior.records).collect();
        // Comments that may still be there stay in the state.
        let attempted: &[&str] = match args.comments {
            Some(_) => &["records", "disabled", "comments"],
            None => &["records", "disabled"],
        };
        changed_or_attempted(&request, attempted, args.replace(server, &id, comments, Some(&before))?, Error::from)?;
        Ok(Updated::new(Self { fqdn: id.name.to_string(), args: request.inputs }))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        let id = RecordSetId::parse(&request.prior.id)?;
        if comes_with_zone(&id) {
            log::info(format!(
                "the {} records of the zone's own name stay, since no zone does without; they go with the zone",
                id.kind
            ));
            return Ok(());
        }
        Ok(request.config.server()?.delete_record_set(id.zone.as_str(), id.name.as_str(), &id.kind)?)
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = request.defaults()?;
        check(&mut checked);
        Ok(checked)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        let mut difference = request.defaults()?;
        let kind = given::text(&request.inputs, "type").unwrap_or_default().to_ascii_uppercase();
        let zone = given::text(&request.inputs, "zone").and_then(|zone| Name::parse(zone).ok());
        let before = request.prior.recorded_inputs();
        given::without_spelling(&mut difference, before, &request.inputs, |property, before, after| match property {
            "zone" => given::same_text(before, after, given::same_name),
            "name" => given::same_text(before, after, |before, after| {
                let full = |name| zone.as_ref().and_then(|zone| Name::in_zone(name, zone).ok());
                matches!((full(before), full(after)), (Some(before), Some(after)) if before == after)
            }),
            "type" => given::same_text(before, after, dns::is_same_type),
            "records" => given::same_texts(before, after, |content| dns::key(&kind, content)),
            "comments" => match (before.as_items(), after.as_items()) {
                (Some(before), Some(after)) => given::same_set(before, after, |before, after| before == after),
                _ => false,
            },
            _ => false,
        });
        // The server takes no set beside one that it excludes. Where a set is replaced by itself, it is in its own way.
        if given::stay(&difference, &["zone", "name"]) {
            let before = before.unwrap_or(request.prior.recorded_state());
            // One that comes with the zone is taken over, and stays where it is deleted.
            let is_taken_over = || RecordSetId::parse(&request.prior.id).is_ok_and(|id| comes_with_zone(&id));
            difference.delete_before_replace |= (given::stay(&difference, &["type"]) && !is_taken_over())
                || given::text(before, "type").is_some_and(|before| excludes(before, &kind));
        }
        Ok(difference)
    }
}

impl RecordSetArgs {
    fn id(&self) -> Result<RecordSetId> {
        let name = |path: &str, error: dns::NameError| Error::rejected(path, format!("must be a name: {error}"));
        let zone = Name::parse(&self.zone).map_err(|error| name("zone", error))?;
        let full = Name::in_zone(&self.name, &zone).map_err(|error| name("name", error))?;
        Ok(RecordSetId { zone, name: full, kind: dns::type_name(&self.kind) })
    }

    /// Puts the set in its place, or says what went wrong where that leaves open whether it is there, or leaves one that is. Where there may have
    /// been one `before`, what others switched off beside its own records stays; else there must be none.
    fn replace(
        &self,
        server: &Server,
        id: &RecordSetId,
        comments: Option<&[Comment]>,
        before: Option<&[String]>,
    ) -> Result<Result<(), Problem>> {
        let content = |content: &String| {
            let content = dns::canonical(&id.kind, content).unwrap_or_else(|_| content.clone());
            Content { content, disabled: self.disabled }
        };
        let mut set = api::RecordSet {
            name: id.name.to_string(),
            kind: id.kind.clone(),
            ttl: self.ttl,
            records: self.records.iter().map(content).collect(),
            comments: comments.map(|comments| comments.iter().map(Comment::said).collect()),
        };
        let own = before.map(|before| self.records.iter().chain(before).map(|content| dns::key(&id.kind, content)));
        let own: Option<BTreeSet<String>> = own.map(Iterator::collect);
        // The server refuses spellings that aren't its own, one at a time, and says what they would be.
        for _ in 0..=set.records.len() {
            let attempt = server.revise_record_set(id.zone.as_str(), &set, |set| {
                // In the same turn as the change: another of this name and type may be made at the same time.
                if own.is_none() && server.record_set(id.zone.as_str(), id.name.as_str(), &id.kind)?.is_some() {
                    return Err(Problem::Conflict);
                }
                if id.kind == "SOA" {
                    keep_serial(server, id, set)?;
                }
                match &own {
                    // Of a set that is switched off as a whole all is its own, and single ones have no place for another.
                    Some(own) if !self.disabled && !SINGLE.contains(&id.kind.as_str()) => {
                        keep_switched_off(server, &id.zone, set, own)
                    }
                    _ => Ok(()),
                }
            });
            let problem = match attempt {
                Err(problem) if !problem.is_uncertain() && !matches!(problem, Problem::Conflict) => problem,
                outcome => return Ok(outcome),
            };
            let respelled = problem.rejection().and_then(|said| {
                let spelling = refused::its_spelling(said)?;
                Some((refused::repeated(said, &set)?, spelling.to_owned()))
            });
            let Some((place, spelling)) = respelled else { return Err(refused::rejected(problem, &set)) };
            if let Some(record) = set.records.get_mut(place) {
                if !dns::keeps_strings(&record.content, &spelling) {
                    return Err(refused::read_as_another(Some(place)));
                }
                record.content = spelling;
            }
        }
        Err(Error::failed("the server refuses its own spelling of a record"))
    }
}

impl Known for RecordSet {
    type Id = RecordSetId;
    type Found = api::RecordSet;

    fn id(text: &str) -> Result<RecordSetId> {
        RecordSetId::parse(text)
    }

    fn find(server: &Server, id: &RecordSetId) -> Result<Option<api::RecordSet>> {
        Ok(server.record_set_anew(id.zone.as_str(), id.name.as_str(), &id.kind)?)
    }

    fn into_given(self) -> RecordSetArgs {
        self.args
    }

    fn recognised(_: &Server, id: &RecordSetId, found: api::RecordSet, given: Option<RecordSetArgs>) -> Result<Self> {
        let disabled = found.records.iter().all(|record| record.disabled);
        // Next to records that are handed out, those that aren't are as good as none.
        let handed_out = found.records.into_iter().filter(|record| record.disabled == disabled);
        let contents: Vec<String> = handed_out.map(|record| record.content).collect();
        let comments = found.comments.unwrap_or_default();
        let comments: Vec<Comment> = comments.into_iter().map(Comment::of).collect();
        let (zone, name, kind) = (id.zone.to_string(), id.name.to_string(), id.kind.clone());
        let args = match given {
            None => RecordSetArgs {
                zone,
                name,
                kind,
                ttl: found.ttl,
                records: contents,
                disabled,
                comments: Some(comments).filter(|comments| !comments.is_empty()),
            },
            Some(given) => RecordSetArgs {
                records: given::settled_list(&given.records, contents, |content| dns::settled_key(&id.kind, content)),
                comments: given.comments.map(|given| {
                    given::settled(Some(given), comments, |given, found| given::same_set(given, found, PartialEq::eq))
                }),
                ttl: found.ttl,
                disabled,
                ..given
            },
        };
        Ok(Self { fqdn: id.name.to_string(), args })
    }
}

impl Comment {
    fn said(&self) -> api::Comment {
        api::Comment { content: self.content.clone(), account: self.account.clone() }
    }

    pub(crate) fn of(said: api::Comment) -> Self {
        Self { content: said.content, account: said.account }
    }
}

/// Whether no name has sets of both types.
fn excludes(one: &str, other: &str) -> bool {
    let either = |kind| dns::is_same_type(one, kind) || dns::is_same_type(other, kind);
    either("CNAME") || (either("NS") && either("DNAME"))
}

/// Whether each zone has such a set: the server makes it with the zone, secondaries refuse a zone without.
fn comes_with_zone(id: &RecordSetId) -> bool {
    id.name == id.zone && matches!(id.kind.as_str(), "SOA" | "NS")
}

/// The server counts on from the serial that it is given, and secondaries don't fetch a zone with an older one than they have.
fn keep_serial(server: &Server, id: &RecordSetId, set: &mut api::RecordSet) -> Result<(), Problem> {
    let found = server.record_set(id.zone.as_str(), id.name.as_str(), &id.kind)?;
    let found = found.and_then(|found| found.handed_out().next());
    if let (Some(found), [soa]) = (found, set.records.as_mut_slice()) {
        soa.content = dns::not_older(&soa.content, &found);
    }
    Ok(())
}

/// Whoever puts a set in the place of another takes away what is switched off, too. What isn't among the `own` contents is somebody else's.
pub(super) fn keep_switched_off(
    server: &Server,
    zone: &Name,
    set: &mut api::RecordSet,
    own: &BTreeSet<String>,
) -> Result<(), Problem> {
    let found = server.switched_off(zone.as_str(), &set.name, &set.kind)?;
    let others = found.into_iter().filter(|record| !own.contains(&dns::key(&set.kind, &record.content)));
    set.records.extend(others);
    Ok(())
}

/// Rejects what the server wouldn't take, as far as it is known.
fn check(checked: &mut Checked) {
    let inputs = checked.inputs.clone();
    let zone = given::text(&inputs, "zone").and_then(|zone| given::check_name(checked, "zone".into(), zone));
    let name = given::text(&inputs, "name").and_then(|name| match &zone {
        Some(zone) => given::checked_name(checked, "name".into(), Name::in_zone(name, zone)),
        None => None,
    });
    let Some(kind) = given::text(&inputs, "type").map(str::to_ascii_uppercase) else { return };
    if let Some(reason) = dns::refusal(&kind) {
        checked.reject("type", reason);
        return;
    }
    if let (Some(zone), Some(name)) = (&zone, &name) {
        if kind == "CNAME" && name == zone {
            checked.reject("name", "must be below the zone's own name, which can't have a CNAME; ALIAS may do");
        }
        if AT_APEX.contains(&kind.as_str()) && name != zone {
            checked.reject("name", format!("must be the zone's own, the only one with records of type {kind}"));
        }
    }
    let mut seen = BTreeSet::new();
    for (path, content) in given::texts(&inputs, "records") {
        match dns::canonical(&kind, content) {
            Ok(content) => {
                if !seen.insert(content) {
                    checked.reject(path, "is there twice");
                }
            }
            Err(reason) => checked.reject(path, format!("is no {kind} record: {reason}")),
        }
    }
    if SINGLE.contains(&kind.as_str()) && seen.len() > 1 {
        checked.reject("records", format!("must hold one record: no name has several of type {kind}"));
    }
}
