//! Guests that nobody wrote: each makes a few dozen calls of the host, any of them, in any order, with anything. Whatever comes of it is
//! the error of its own call, nothing outside of what was granted is reached, and the host goes on.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bulkhead::component::{Cache, Limits};
use bulkhead_tests::serving::{Serving, load_with};
use bulkhead_tests::temporary_directory;
use serde_json::json;
use tonic::Code;

use crate::calls::{ALL, Call};
use crate::{aside, permitted, undisturbed, well};

mod chance;
mod core;
mod heard;
mod program;
mod step;
mod values;
mod words;
mod world;

use heard::Server;
use words::Surroundings;

/// How many programs are tried. `RESTLESS=FIRST..END` in the environment tries others.
const SEEDS: Range<u64> = 0..48;
/// How many at once.
const AT_ONCE: usize = 4;
/// Far more than a call has that has a deadline.
const PATIENT: Duration = Duration::from_secs(20);
/// Far more than a call has that was cancelled.
const SOON: Duration = Duration::from_secs(40);

fn seeds() -> Range<u64> {
    let Ok(given) = std::env::var("RESTLESS") else { return SEEDS };
    let (first, end) = given.split_once("..").expect("RESTLESS=FIRST..END");
    first.parse().unwrap()..end.parse().unwrap()
}

/// Panics in this process, but for those of tests that fail.
fn watched() -> Arc<Mutex<Vec<String>>> {
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let (panics, before) = (Arc::clone(&seen), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        if panic.location().is_some_and(|location| !location.file().starts_with("tests/")) {
            panics.lock().unwrap().push(panic.to_string());
        }
        before(panic);
    }));
    seen
}

/// What a directory holds. What lies in those within isn't looked at.
fn held(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut held = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        held.insert(name, if path.is_dir() { b"a directory".to_vec() } else { fs::read(&path).unwrap_or_default() });
    }
    held
}

/// A program, granted a server by two schemes, a directory to write to and another to read.
async fn restless(seed: u64, surroundings: &Surroundings, project: &Path) -> Serving {
    let (http, tcp) = (format!("http://{}", surroundings.http), format!("tcp://{}", surroundings.tcp));
    let phases =
        ["check", "diff", "preview", "create", "read", "update", "delete", "invoke", "list", "construct", "call"];
    let permissions = permitted(
        &json!({
            "network": [
                { "endpoint": http, "phases": phases, "reason": "its server" },
                { "endpoint": tcp, "phases": phases, "reason": "its server" },
            ],
            "filesystem": [
                { "path": "out", "access": "write", "reason": "reports" },
                { "path": "in", "access": "read", "reason": "templates" },
            ],
        }),
        json!({
            "digest": "dev",
            "network": [
                { "endpoint": http, "addresses": ["loopback"], "phases": phases },
                { "endpoint": tcp, "addresses": ["loopback"], "phases": phases },
            ],
            "filesystem": [
                { "path": "out", "at": project.join("out"), "access": "write" },
                { "path": "in", "at": project.join("in"), "access": "read" },
            ],
        }),
    );
    let limits = Limits { compute: Duration::from_millis(500), wall: Duration::from_secs(1), ..Limits::default() };
    let surroundings = surroundings.clone();
    let loaded = aside(move || {
        // No other run has the same: ports are others.
        let cache = temporary_directory();
        load_with(&Cache::new(cache.path()), &program::component(seed, &surroundings), Limits::default()).unwrap()
    });
    let loaded = loaded.await;
    Serving::of(loaded.under(limits, permissions)).await
}

fn code(result: &Result<(), tonic::Status>) -> String {
    result.as_ref().map_or_else(|status| format!("{:?}", status.code()), |()| "Ok".to_owned())
}

/// All of its calls, and what came of each.
async fn tried(seed: u64, surroundings: Surroundings) -> BTreeMap<String, usize> {
    let project = temporary_directory();
    for directory in ["out", "in"] {
        fs::create_dir(project.path().join(directory)).unwrap();
    }
    fs::write(project.path().join("secret"), "secret").unwrap();
    fs::write(project.path().join("in/in.txt"), "template").unwrap();
    std::os::unix::fs::symlink("../secret", project.path().join("in/link")).unwrap();
    let before = (held(project.path()), held(&project.path().join("in")));
    let serving = restless(seed, &surroundings, project.path()).await;
    let mut outcomes = BTreeMap::new();
    serving.handshake(<_>::default()).await;
    let configured = serving.configure(well()).await.map(drop);
    *outcomes.entry(code(&configured)).or_default() += 1;
    for (doing, call) in ALL {
        let mut made = pin!(call.make_within(&serving, 1.0));
        let (result, cancelled) = match tokio::time::timeout(PATIENT, &mut made).await {
            Ok(result) => (result, false),
            // What has no timeout ends when it is cancelled.
            Err(_) => {
                serving.cancel().await;
                let result = tokio::time::timeout(SOON, made).await;
                (result.unwrap_or_else(|_| panic!("{seed}: it should be over soon: {doing}")), true)
            }
        };
        *outcomes.entry(code(&result)).or_default() += 1;
        let told = result.map_err(|status| (status.code(), status.message().to_owned()));
        assert!(!matches!(told, Err((Code::Internal | Code::Unavailable, _))), "{seed}: {doing}: {told:?}");
        if let Err((_, message)) = &told {
            let odd = message.chars().any(|letter| letter.is_control() && letter != '\n');
            assert!(!odd && message.chars().count() < 17_000, "{seed}: {doing}: {message:?}");
        }
        if cancelled {
            assert!(matches!(call, Call::Construct | Call::Method), "{seed}: it has a deadline: {doing}");
            break;
        }
    }
    drop(serving);
    assert_eq!((held(project.path()), held(&project.path().join("in"))), before, "{seed}: outside of what was granted");
    outcomes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_guest_calls_in_whatever_order_is_its_own_calls_error() {
    let panics = watched();
    undisturbed(async {
        let (http, tcp, denied) = (Server::start().await, Server::start().await, Server::start().await);
        let surroundings = Surroundings { http: http.address, tcp: tcp.address, denied: denied.address };
        let mut seeds = seeds();
        let mut outcomes = BTreeMap::<String, usize>::new();
        let mut running = tokio::task::JoinSet::new();
        loop {
            while running.len() < AT_ONCE
                && let Some(seed) = seeds.next()
            {
                running.spawn(tried(seed, surroundings.clone()));
            }
            let Some(tried) = running.join_next().await else { break };
            for (code, times) in tried.unwrap() {
                *outcomes.entry(code).or_default() += times;
            }
        }
        assert_eq!(denied.connections(), 0, "nobody is reached who wasn't granted");
        let requests = http.requests().unwrap_or_else(|flaw| panic!("{flaw}"));
        // Else the programs would show nothing: some go through, and some do what breaks the contract.
        assert!(requests > 0 && tcp.connections() > 0, "{outcomes:?}");
        assert!(outcomes.contains_key("Ok") && outcomes.contains_key("Aborted"), "{outcomes:?}");
    })
    .await;
    assert_eq!(*panics.lock().unwrap(), Vec::<String>::new());
}
