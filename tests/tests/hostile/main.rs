//! Guests that attack: each is a component of its own, and while it strikes, another provider in the same process serves on.
//!
//! What each of them does, and what has to come of it, stands in `docs/hostile.md`; `table.rs` holds that to what is tried here.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what goes wrong in a test fails it"
)]

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use bulkhead::component::{Limits, Manifest};
use bulkhead_policy::{Applicant, Grant, Permissions};
use bulkhead_tests::Bulkhead;
use bulkhead_tests::serving::{Serving, any_package, load};
use bulkhead_value::{Object, Value};
use serde_json::json;
use tonic::{Code, Status};

mod archives;
mod assembled;
mod calls;
mod checkpoints;
mod code;
mod comparing;
mod compiler;
mod computing;
mod crowds;
mod denials;
mod descriptions;
mod disk;
mod engines;
mod flooding;
mod identities;
mod letters;
mod memory;
mod misplaced;
mod misuse;
mod network;
mod packages;
mod peers;
mod replies;
mod restless;
mod secrets;
mod surroundings;
mod table;
mod traps;
mod trees;
mod values;
mod waiting;

/// The resource type that all of these guests have, which hosts answer for wherever they can.
const THING: &str = "hostile:index:Thing";
/// The resource type that they answer for themselves, throughout.
const OWN: &str = "hostile:index:Own";
/// Their function.
const TELL: &str = "hostile:index:tell";

/// What all of these guests say of themselves.
const SCHEMA: &str = include_str!("../../guests/hostile/src/schema.json");
const MANIFEST: &str = include_str!("../../guests/hostile/src/manifest.json");

/// How long a call of a provider that attacks nobody may take, whatever others do. Only a host that hangs is slower.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long each round of such calls may take while somebody attacks. Most take milliseconds, and machines for tests are busy.
const ROUND: Duration = Duration::from_secs(20);

const BUG: &str = "; this is a bug in the provider";
const REPORT: &str = "\nhint: please report it to the provider's author";
const LOST: &str = "\nhint: a resource may have been created: look for it where the provider makes such things, and import or delete it";
const COMPUTED: &str = "the provider computed for longer than it may in one call\n\
                        hint: if the provider should have more, raise the limit `compute` in bulkhead.toml";
/// What is said of a limit that no setting raises.
fn fixed(most: &str) -> String {
    format!("\nhint: {most} are the most, whatever is set; please report it to the provider's author")
}

const LATE: &str = "the operation took longer than its deadline\n\
                    hint: give it more time with the resource option `customTimeouts`, or where there is none with the limit \
                    `wall` in bulkhead.toml";

/// What is added to it where something may have been made by then.
const MADE: &str =
    "; a resource may have been created: look for it where the provider makes such things, and import or delete it";

/// The executable under test.
fn bulkhead() -> Bulkhead {
    Bulkhead::new(env!("CARGO_BIN_EXE_bulkhead-under-test"))
}

/// Limits that are met soon.
fn short() -> Limits {
    // Providers take turns to compute, and give way to whatever else a machine does, so that it takes a while until one had as much
    // as it may.
    Limits { compute: Duration::from_millis(500), wall: Duration::from_secs(300), ..Limits::default() }
}

/// The component of a guest, served under limits and configured.
async fn hostile(name: &str, limits: Limits) -> Serving {
    unready(name, limits).await.ready(well()).await
}

/// What a component may do that asks for these permissions, and is granted this.
fn permitted(permissions: &serde_json::Value, grant: serde_json::Value) -> Permissions {
    let manifest = json!({ "manifestVersion": 1, "contract": "0.1.0", "permissions": permissions });
    let requests = Manifest::parse(manifest.to_string().as_bytes()).unwrap().permissions;
    let grant: Grant = serde_json::from_value(grant).unwrap();
    let applicant = Applicant { development: true, ..Applicant::default() };
    Permissions::new(applicant, requests, &[grant], Vec::new(), Path::new("/"))
}

/// A configuration that even those take that attack in each call.
fn well() -> Object {
    object([("key", "well")])
}

/// The component of a guest, served under limits. Nothing is negotiated or configured.
async fn unready(name: &str, limits: Limits) -> Serving {
    let loaded = load(&bulkhead_tests::hostile(name), limits).expect("a hostile guest should be loadable");
    Serving::of(loaded).await
}

/// The same of one that was granted any package.
async fn unready_with_packages(name: &str) -> Serving {
    let loaded = load(&bulkhead_tests::hostile(name), Limits::default()).expect("a hostile guest should be loadable");
    Serving::of(loaded.under(Limits::default(), any_package())).await
}

/// What comes of an attack, while a provider that attacks nobody is called again and again, in the same process. All of its calls
/// succeed. Some are under way when the attack begins and whenever else it goes on, and each of them is waited for: even the shortest
/// attack has others served meanwhile.
async fn undisturbed<T>(attack: impl Future<Output = T>) -> T {
    let behaved = hostile("behaved", Limits::default()).await;
    let over = Cell::new(false);
    let attack = async {
        let outcome = attack.await;
        over.set(true);
        outcome
    };
    let calls = async {
        let mut rounds = 0_u32;
        while !over.get() {
            let round = tokio::time::timeout(ROUND, served(&behaved)).await;
            round.unwrap_or_else(|_| panic!("a provider that attacks nobody was served {rounds} times, and no more"));
            rounds += 1;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        rounds
    };
    // Calls come first, so that the attack finds one under way.
    let (rounds, outcome) = tokio::join!(biased; calls, attack);
    let after = tokio::time::timeout(ROUND, served(&behaved)).await;
    after.unwrap_or_else(|_| {
        panic!("a provider that attacks nobody was served {rounds} times, and not when all was over")
    });
    outcome
}

/// Loading takes a thread, so it isn't done on the one that serves.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

/// One call of each kind: what a schema answers, and what a guest does.
async fn served(behaved: &Serving) {
    assert_eq!(behaved.check(THING, what("x")).await.unwrap().value, what("x"));
    assert_eq!(behaved.create(THING, what("x")).await.unwrap().state["text"], Value::from("made"));
    assert_eq!(behaved.invoke(TELL, Object::new()).await.unwrap().value["text"], Value::from("told"));
}

/// Inputs that ask for something.
fn what(what: &str) -> Object {
    object([("what", what)])
}

/// An object.
fn object<const N: usize, V: Into<Value>>(fields: [(&str, V); N]) -> Object {
    fields.into_iter().collect()
}

/// A state that the host has on record.
fn on_record() -> Object {
    object([("text", "recorded")])
}

/// What an engine sees of a failure.
fn seen(status: &Status) -> (Code, &str) {
    (status.code(), status.message())
}
