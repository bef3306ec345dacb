//! Guests that nobody wrote: each makes a few dozen calls of the host, any of them, in any order, with anything. Whatever comes of it is
//! the error of its own call, nothing outside of what was granted is reached, nobody is told a secret, and the host goes on, with no more
//! of its system than it had before.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use bulkhead_tests::Authority;
use tokio::task::JoinSet;

use crate::{aside, undisturbed};

mod alone;
mod chance;
mod core;
mod engine;
mod heard;
mod left;
mod program;
mod secret;
mod step;
mod tree;
mod trial;
mod values;
mod words;
mod world;

use heard::Server;
use left::Left;
use trial::{MASKED, Outcomes, PACKAGES, tried};
use words::Surroundings;

/// How many programs are tried. `RESTLESS=FIRST..END` in the environment tries others.
const SEEDS: Range<u64> = 0..48;
/// How many at once.
const AT_ONCE: usize = 4;
/// After so many, all of which are over by then, it is looked at what is left of them. Those before the first look are there for what a host
/// has from then on.
const LAP: usize = 24;

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

/// Tries so many, and adds up what came of their calls. False if there are no more.
async fn lap(seeds: &mut Range<u64>, surroundings: &Surroundings, outcomes: &mut Outcomes) -> bool {
    let (mut these, mut running) = (seeds.take(LAP), JoinSet::new());
    loop {
        while running.len() < AT_ONCE
            && let Some(seed) = these.next()
        {
            running.spawn(tried(seed, surroundings.clone()));
        }
        let Some(tried) = running.join_next().await else { break };
        for (code, times) in tried.unwrap() {
            *outcomes.entry(code).or_default() += times;
        }
    }
    !seeds.is_empty()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_guest_calls_in_whatever_order_is_its_own_calls_error() {
    if !alone::is_here() {
        let name = "restless::whatever_a_guest_calls_in_whatever_order_is_its_own_calls_error";
        let [said, told] = aside(move || alone::passed(name)).await;
        // Who tries other numbers wants to know what is left of them.
        println!("{said}");
        assert_eq!(secret::told(true, &told), None, "nobody may be told");
        return;
    }
    let panics = watched();
    undisturbed(async {
        let (http, tcp, denied) = (Server::start().await, Server::start().await, Server::start().await);
        let authority = Authority::new();
        let https = Server::encrypting(Some(&authority)).await;
        let surroundings = Surroundings {
            http: http.address,
            https: https.address,
            authority: authority.file(),
            tcp: tcp.address,
            denied: denied.address,
        };
        let (mut seeds, mut outcomes) = (seeds(), Outcomes::new());
        let mut more = lap(&mut seeds, &surroundings, &mut outcomes).await;
        let first = Left::now();
        while more {
            more = lap(&mut seeds, &surroundings, &mut outcomes).await;
            println!("before {}: {:?}", seeds.start, Left::now());
            Left::settled(first).await;
        }
        assert_eq!(denied.connections(), 0, "nobody is reached who wasn't granted");
        let requests = [http, https].map(|server| server.requests().unwrap_or_else(|flaw| panic!("{flaw}")));
        // Else the programs would show nothing: some go through, and some do what breaks the contract.
        assert!(requests.iter().all(|requests| *requests > 0) && tcp.connections() > 0, "{outcomes:?}");
        assert!(outcomes.contains_key("Ok") && outcomes.contains_key("Aborted"), "{outcomes:?}");
        assert!(outcomes[MASKED] > 0 && outcomes[PACKAGES] > 0, "{outcomes:?}");
        println!("{outcomes:?} {requests:?}");
    })
    .await;
    assert_eq!(*panics.lock().unwrap(), Vec::<String>::new());
}
