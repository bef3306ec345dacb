//! DiffConfig: values are compared decoded, so that `"3"` and `3` are the same.
//!
//! An engine looks up what is at the places of changes, in the values as it has them. In a text it finds nothing, and would show that
//! nothing changed: so a change within one is told as a change of all of it.

use std::collections::BTreeMap;

use bulkhead_proto::provider::{DiffRequest, DiffResponse};
use bulkhead_value::{Object, PropertyPath, Value};
use tonic::Status;

use super::configure::typed;
use super::conversation::Current;
use super::difference::diff_response;
use super::identity::Identity;
use super::properties::{paths, recorded, required};
use super::status::failed_configuration;
use super::unsaid::unsaid;
use crate::provider::{Change, ChangeKind, Difference};

pub(super) async fn diff_config(current: &Current, request: DiffRequest) -> Result<DiffResponse, Status> {
    Identity { urn: &request.urn, name: &request.name, token: &request.r#type }.of_provider()?;
    let session = current.get().sessions.own();
    let package = session.package();
    let olds = match recorded(request.old_inputs, "old inputs")? {
        Some(old_inputs) => old_inputs,
        None => recorded(request.olds, "olds")?.unwrap_or_default(),
    };
    let news = required(request.news, "news")?;
    let ignore = paths(&request.ignore_changes);
    let (old, new) = (typed(package, &olds), typed(package, &news));
    let difference = session.diff_config(&old, &new, &ignore).await;
    let mut difference = difference.map_err(|error| failed_configuration("compare the configuration", error))?;
    if difference.changes.is_empty() {
        difference.changes = said_by_now(&olds, &news, &ignore);
    }
    Ok(diff_response(shown(difference, [&olds, &news], [&old, &new])))
}

/// What the component itself once said, and a program says by now. An engine that is told of nothing goes on with the old configuration,
/// and no permission rests on that.
fn said_by_now(olds: &Object, news: &Object, ignore: &[PropertyPath]) -> Vec<Change> {
    let still = unsaid(news);
    let said = unsaid(olds).into_iter().filter(|name| !still.contains(name));
    let paths = said.filter_map(|name| PropertyPath::parse(&name).ok());
    let paths = paths.filter(|path| !ignore.iter().any(|ignored| ignored.contains(path)));
    paths.map(|path| Change { path, kind: ChangeKind::Updated, replaces: false, input_diff: true }).collect()
}

/// The difference as an engine finds it: what is within a text, as a change of that.
fn shown(difference: Difference, given: [&Object; 2], decoded: [&Object; 2]) -> Difference {
    let text =
        |side: &Object, name: &str| side.get(name).is_some_and(|value| matches!(value.plain(), Value::String(_)));
    let is_text =
        |name: &str| given.iter().zip(decoded).any(|(given, decoded)| text(given, name) && !text(decoded, name));
    let mut changes: Vec<Change> = Vec::with_capacity(difference.changes.len());
    let mut texts = BTreeMap::new();
    for change in difference.changes {
        let name = change.path.first_name().filter(|name| change.path.segments().len() > 1 && is_text(name));
        let Some(name) = name.map(str::to_owned) else {
            changes.push(change);
            continue;
        };
        match texts.get(&name).and_then(|told: &usize| changes.get_mut(*told)) {
            Some(told) => told.replaces |= change.replaces,
            None => {
                let path = PropertyPath::field(&name);
                texts.insert(name, changes.len());
                changes.push(Change { path, kind: ChangeKind::Updated, ..change });
            }
        }
    }
    Difference { changes, ..difference }
}

#[cfg(test)]
mod tests {
    use super::super::unsaid::with_unsaid;
    use super::*;

    #[test]
    fn what_a_program_says_by_now_is_a_change_though_it_is_the_same() {
        let side = |names: &[&str]| {
            let names = names.iter().map(|name| name.to_string()).collect();
            with_unsaid(Object::from([("endpoint", Value::from("x"))]), names)
        };
        let ignore = [PropertyPath::field("region")];
        let told = |old: &[&str], new: &[&str]| {
            let changes = said_by_now(&side(old), &side(new), &ignore);
            assert!(changes.iter().all(|change| !change.replaces && change.kind == ChangeKind::Updated));
            changes.iter().map(|change| change.path.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(told(&["endpoint", "server.host"], &["server.host"]), ["endpoint"]);
        assert_eq!(told(&["endpoint"], &["endpoint"]), [""; 0]);
        assert_eq!(told(&[], &["endpoint"]), [""; 0], "what was said is the same, and no permission rests on it");
        assert_eq!(told(&["region"], &[]), [""; 0], "it is ignored");
    }

    #[test]
    fn what_differs_within_a_text_is_told_where_an_engine_finds_something() {
        let side = |text: &str| Object::from([("tags", Value::from(text)), ("sizes", Object::new().into())]);
        let [olds, news] = [side(r#"{"a":1,"b":2}"#), side(r#"{"a":2}"#)];
        let decoded = Object::from([("tags", Object::new()), ("sizes", Object::new())]);
        let [old, new] = [&decoded, &decoded];
        let change = |path: &str, kind, replaces| {
            let path = PropertyPath::parse(path).unwrap();
            Change { path, kind, replaces, input_diff: true }
        };
        let changes = vec![
            change("sizes.a", ChangeKind::Added, false),
            change("tags.a", ChangeKind::Updated, false),
            change("tags.b", ChangeKind::Deleted, true),
        ];
        let told = shown(Difference { changes, ..Difference::default() }, [&olds, &news], [old, new]);
        let expected = [change("sizes.a", ChangeKind::Added, false), change("tags", ChangeKind::Updated, true)];
        assert_eq!(told.changes, expected);
        let whole = vec![change("tags", ChangeKind::Added, false)];
        let told = shown(Difference { changes: whole.clone(), ..Difference::default() }, [&olds, &news], [old, new]);
        assert_eq!(told.changes, whole);
    }
}
