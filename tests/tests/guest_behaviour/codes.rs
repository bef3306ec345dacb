//! What each ending of a create becomes for an engine: the table in `docs/protocol.md`, row by row.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::repository;
use bulkhead_tests::serving::{Serving, creation, details, init_failed, object as received};
use bulkhead_value::{Object, Value};
use tokio::task::JoinSet;
use tonic::{Code, Status};

use crate::{guest, object};

const ENDED: &str = "errors:index:Ended";

/// What the guest is asked to do for each ending of the table.
const ENDINGS: [(&str, &str); 15] = [
    ("`rejected`", "rejected"),
    ("`missing-configuration`", "missingConfiguration"),
    ("`failed`", "failed"),
    ("`not-initialised`", "notInitialised"),
    ("`await-failed`", "awaitFailed"),
    ("`outcome-unknown`", "outcomeUnknown"),
    ("`not-found`", "notFound"),
    ("`cancelled`", "cancelled"),
    ("`unsupported`", "unsupported"),
    ("`bug`", "bug"),
    ("`other`", "other"),
    ("a trap", "trap"),
    ("no more memory", "memory"),
    ("the deadline", "endless"),
    ("a cancellation", "endless"),
];

/// A code and the name of its detail, as the table has them.
type Answer = (String, String);

/// The rows of the documented table: an ending, its answer, and its answer after a checkpoint.
fn documented() -> BTreeMap<String, [Answer; 2]> {
    let text = fs::read_to_string(repository().join("docs/protocol.md")).expect("the documentation should be there");
    let rows = text.lines().skip_while(|line| !line.starts_with("| ending |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [ending, code, detail, later_code, later_detail] = cells[..] else { panic!("a row has five cells: {row}") };
        let answer = |code: &str, detail: &str| (code.to_owned(), detail.trim_matches('`').to_owned());
        (ending.to_owned(), [answer(code, detail), answer(later_code, later_detail)])
    })
    .collect()
}

fn answer(status: &Status) -> Answer {
    let code = format!("{:?}", status.code());
    // As the protocol spells it.
    let mut spelt = String::new();
    for letter in code.chars() {
        if letter.is_uppercase() && !spelt.is_empty() {
            spelt.push('_');
        }
        spelt.extend(letter.to_uppercase());
    }
    (spelt, details(status).join(", "))
}

async fn errors() -> Serving {
    Serving::start(&guest("errors"), Limits::default()).await.ready(Object::new()).await
}

fn ending(ending: &str, announce: bool, refresh: bool) -> Object {
    object([("ending", Value::from(ending)), ("announce", announce.into()), ("refresh", refresh.into())])
}

async fn ended(what: &str, act: &str, announce: bool) -> Status {
    let serving = errors().await;
    // Long enough for a guest to announce something on a busy machine.
    let timeout = if what == "the deadline" { 5.0 } else { 0.0 };
    let request = pb::CreateRequest { timeout, ..creation(ENDED, ending(act, announce, false)) };
    let create = serving.create_as(request);
    let cancel = async {
        if what == "a cancellation" {
            tokio::time::sleep(Duration::from_secs(5)).await;
            serving.cancel().await;
        }
    };
    let (created, ()) = tokio::join!(create, cancel);
    created.expect_err(what)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_ending_has_the_code_and_the_detail_of_the_table() {
    let documented = documented();
    assert_eq!(documented.len(), ENDINGS.len(), "{documented:#?}");
    // Some take their time to end: each in a host of its own, all at once.
    let mut endings = JoinSet::new();
    for (what, act) in ENDINGS {
        let expected = documented.get(what).unwrap_or_else(|| panic!("the table should have a row for {what}"));
        for (announce, expected) in [false, true].into_iter().zip(expected.clone()) {
            endings.spawn(async move { (what, announce, expected, ended(what, act, announce).await) });
        }
    }
    while let Some(ending) = endings.join_next().await {
        let (what, announce, expected, status) = ending.expect("an ending should be asked for");
        assert_eq!(answer(&status), expected, "{what}, announced: {announce}: {status:?}");
        if expected.1 == "ErrorResourceInitFailed" {
            assert_eq!(init_failed(&status).id, "ended-1", "{what}");
        }
    }
}

/// As where contents are put into what was just made, and one of them can't be read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_sdk_fails_at_takes_nothing_back() {
    let status = ended("a value that is too large to be shared", "shared", true).await;
    assert_eq!(details(&status), ["ErrorResourceInitFailed"], "{status:?}");
    assert_eq!(init_failed(&status).id, "ended-1");
    let message = ended("without an announcement", "shared", false).await.message().to_owned();
    assert!(message.contains("would grow to") && message.contains("the limit is"), "{message}");
}

/// As where an id is what a command printed, with the end of its line.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_announcement_with_a_flaw_loses_nothing() {
    let left = init_failed(&ended("an id that ends a line", "lined", false).await);
    assert_eq!(left.id, "ended-1\n");
    assert!(left.reasons[0].contains("the provider announced an id with control characters"), "{:?}", left.reasons);
    let status = ended("an id that can't be told", "long", false).await;
    assert_eq!(status.code(), Code::Unknown, "{status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_before_updates_is_asked_for_only_where_engines_heed_it() {
    for heeds in [true, false] {
        let serving = Serving::start(&guest("errors"), Limits::default()).await;
        serving
            .handshake(pb::ProviderHandshakeRequest { supports_refresh_before_update: heeds, ..<_>::default() })
            .await;
        serving.configure(Object::new()).await.expect("there is nothing to configure");
        let created = serving.create(ENDED, ending("success", false, true)).await.expect("it should succeed");
        assert_eq!(created.refresh_before_update, heeds);
        let status = serving.create(ENDED, ending("notInitialised", false, true)).await.unwrap_err();
        assert_eq!(init_failed(&status).refresh_before_update, heeds);
        let status = serving.create(ENDED, ending("notInitialised", false, false)).await.unwrap_err();
        assert!(!init_failed(&status).refresh_before_update);
        for refresh in [true, false] {
            let read = async |act| {
                let recorded = || ending(act, false, refresh);
                serving.read(ENDED, "ended-1", recorded(), recorded()).await
            };
            assert_eq!(read("success").await.expect("it is there").refresh_before_update, heeds && refresh);
            let status = read("notInitialised").await.expect_err("it isn't ready");
            assert_eq!(init_failed(&status).refresh_before_update, heeds && refresh);
            let updated = updated_again(&serving, "success", refresh).await.expect("it is well");
            assert_eq!(updated.refresh_before_update, heeds && refresh);
            let status = updated_again(&serving, "notInitialised", refresh).await.expect_err("it isn't ready");
            assert_eq!(init_failed(&status).refresh_before_update, heeds && refresh);
        }
    }
}

/// An update with nothing changed, which engines ask for where the last operation was partial.
async fn updated_again(serving: &Serving, act: &str, refresh: bool) -> Result<pb::UpdateResponse, Status> {
    let recorded = || ending(act, true, refresh);
    serving.update(ENDED, recorded(), recorded(), recorded()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_ready_is_looked_at_again_where_nothing_updates_it() {
    let serving = errors().await;
    let updated = updated_again(&serving, "success", false).await.expect("it is well by now");
    assert_eq!(received(updated.properties.unwrap()), ending("success", true, false));

    let left = init_failed(&updated_again(&serving, "notInitialised", false).await.unwrap_err());
    assert_eq!((left.id.as_str(), &left.state), ("existing-1", &ending("notInitialised", true, false)));
    let again = "run `pulumi up` again once it is ready, or replace it: `pulumi up --replace URN`";
    assert_eq!(left.reasons, [format!("it is still cold; hint: {again}")]);

    let status = updated_again(&serving, "notFound", false).await.unwrap_err();
    let expected = "update the resource: the resource is gone\nhint: run `pulumi refresh`, then try again";
    assert_eq!((status.code(), status.message()), (Code::NotFound, expected));

    let (old, new) = (ending("success", true, false), ending("success", true, true));
    let status = serving.update(ENDED, old.clone(), old, new).await.unwrap_err();
    let expected = "update the resource: `errors:index:Ended` can't be updated in place\n\
                    hint: replace the resource: `pulumi up --replace URN`";
    assert_eq!((status.code(), status.message()), (Code::Unimplemented, expected));
}
