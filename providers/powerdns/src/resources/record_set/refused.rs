//! What the server says of a set that it refuses, in the words of several versions: they name no input, and repeat contents, which may be secret.

use bulkhead_sdk::{Error, Path};

use crate::api::{Problem, RecordSet};
use crate::resources::creation::no_zone;
use crate::resources::words::without_quoted;

/// How the server begins where it talks about one record.
const OF_A_RECORD: &[&str] = &["Record ", "Invalid character "];

/// Why a content isn't taken in the spelling that the server has for it.
const READ_AS_ANOTHER: &str = "is read as another text by the server\nhint: servers since 5.1 take a level of backslashes off contents; this \
                               one does so though it says that it is another version, or it does something else";

/// The server's own spelling of a record, where it refused another.
pub(super) fn its_spelling(said: &str) -> Option<&str> {
    said.split_once("Not in expected format (parsed as '")?.1.strip_suffix("')")
}

/// Which record the server repeats.
pub(super) fn repeated(said: &str, set: &RecordSet) -> Option<usize> {
    set.records.iter().position(|record| said.contains(&format!("'{}'", record.content)))
}

/// What to say of a record that the server means in another way than it was meant.
pub(super) fn read_as_another(place: Option<usize>) -> Error {
    Error::rejected(path(place), READ_AS_ANOTHER)
}

/// What the server refused, with the place that it talks about, and without what it repeats.
pub(super) fn rejected(problem: Problem, set: &RecordSet) -> Error {
    match problem {
        Problem::NotFound => return no_zone(),
        Problem::Misread { place, .. } => {
            // What comes after the set's own records others switched off.
            let place = Some(place).filter(|place| *place < set.records.len());
            return Error::rejected(path(place), format!("can't be written: {problem}"));
        }
        _ => {}
    }
    let Some(said) = problem.rejection() else { return problem.into() };
    let is_of_a_record = OF_A_RECORD.iter().any(|begin| said.starts_with(begin));
    let named = repeated(said, set);
    // What it repeats may have lost escapes.
    let record = named.or(Some(0).filter(|_| is_of_a_record && set.records.len() == 1));
    if named.is_none() && its_spelling(said).is_some() && set.records.iter().any(|record| record.content.contains('\\'))
    {
        return read_as_another(record);
    }
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let path = match record {
        Some(place) => path(Some(place)),
        None if is_of_a_record => path(None),
        None if says(&["out of zone", "onflicts with", "annot have both", "at apex", "unsupported characters"]) => {
            "name".into()
        }
        None if says(&["unknown type"]) => "type".into(),
        None if says(&["uplicate record", "more than one record", "only one such"]) => "records".into(),
        None => return problem.into(),
    };
    // Values stand in quotation marks, at the front and sometimes later.
    let reason = said.rsplit_once("': ").or_else(|| said.rsplit_once(": ")).map_or(said, |(_, reason)| reason);
    let reason = reason.rsplit_once("'): ").map_or(reason, |(_, reason)| reason);
    let reason = without_quoted(&without_quoted(reason, '\''), '"');
    // Engines delete what a program no longer has after they have made the rest.
    let first = "; sets of this name that it can't be beside have to go first: take them out of the program and run that, or delete them on \
                 the server where they aren't in it, and then add this one";
    let first = if says(&["onflicts with", "annot have both"]) { first } else { "" };
    Error::rejected(path, format!("is refused by the server: {reason}{first}"))
}

/// A record's place, or the records where it isn't known.
fn path(place: Option<usize>) -> Path {
    let records = Path::from("records");
    match place.and_then(|place| u32::try_from(place).ok()) {
        Some(place) => records.index(place),
        None => records,
    }
}
