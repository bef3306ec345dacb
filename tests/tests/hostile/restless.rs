//! Guests that nobody wrote: each makes a few dozen calls of the host, any of them, in any order, with anything. Whatever comes of it is
//! the error of its own call, nothing outside of what was granted is reached, nobody is told a secret, and the host goes on.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;

use crate::undisturbed;

mod chance;
mod core;
mod heard;
mod program;
mod secret;
mod step;
mod trial;
mod values;
mod words;
mod world;

use heard::Server;
use trial::{Outcomes, tried};
use words::Surroundings;

/// How many programs are tried. `RESTLESS=FIRST..END` in the environment tries others.
const SEEDS: Range<u64> = 0..48;
/// How many at once.
const AT_ONCE: usize = 4;
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_guest_calls_in_whatever_order_is_its_own_calls_error() {
    let panics = watched();
    undisturbed(async {
        let (http, tcp, denied) = (Server::start().await, Server::start().await, Server::start().await);
        let surroundings = Surroundings { http: http.address, tcp: tcp.address, denied: denied.address };
        let (mut seeds, mut outcomes, mut running) = (seeds(), Outcomes::new(), JoinSet::new());
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
