//! Attacks, under way: so many hostile calls at once, each made again as soon as it is over.

use std::fmt;
use std::time::Duration;

use anyhow::Result;
use bulkhead_proto::provider::{CheckRequest, InvokeRequest};
use bulkhead_value::{Object, Value};
use tokio::task::JoinSet;

use crate::plugin::Client;
use crate::process::cpu_time;
use crate::values::wire;

/// How often a host is looked at that should have nothing to do.
const PAUSE: Duration = Duration::from_millis(200);
/// How long it may have something to do after an attack.
const PATIENCE: Duration = Duration::from_secs(60);

/// What hostile calls do. `tests/guests/hostile/examples/some-calls.rs` has the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Attack {
    /// What the guest calls it.
    name: &'static str,
    /// In words.
    words: &'static str,
}

impl Attack {
    /// What others cost that do as they should, which is no attack.
    pub(crate) const NONE: Self = Self { name: "nothing", words: "does as it should" };
    /// All of them.
    pub(crate) const ALL: [Self; 14] = [
        Self::LOOP,
        Self { name: "memory", words: "takes all memory" },
        Self { name: "fill", words: "fills memory" },
        Self::WAIT,
        Self { name: "naps", words: "naps for 1 ms, for ever" },
        Self { name: "bursts", words: "computes for 3 ms between naps of 1 ms" },
        Self { name: "coin", words: "fills 50 MiB in every fifth call" },
        Self { name: "calls", words: "calls the host, for ever" },
        Self { name: "random", words: "draws 4 MiB, for ever" },
        Self { name: "log", words: "logs, for ever" },
        Self { name: "crash", words: "crashes at once" },
        Self { name: "nodes", words: "returns 2 million nodes" },
        Self { name: "text", words: "returns 100 MiB" },
        Self { name: "check", words: "has huge values checked" },
    ];
    /// Those of which a thousand are made at once.
    pub(crate) const OF_A_THOUSAND: [Self; 2] = [Self::LOOP, Self::WAIT];
    const LOOP: Self = Self { name: "loop", words: "loops for ever" };
    const WAIT: Self = Self { name: "wait", words: "waits for ever" };

    /// Begins: so many calls at once, until what is returned is dropped.
    pub(crate) fn begin(self, client: &Client, at_once: usize) -> Result<JoinSet<()>> {
        let bag = Some(wire(&Object::from([("what", Value::from(self.name))]))?);
        let invoke = InvokeRequest { tok: "hostile:index:tell".to_owned(), args: bag.clone(), ..<_>::default() };
        let urn = "urn:pulumi:dev::benchmark::hostile:index:Own::name".to_owned();
        let check = CheckRequest { urn, news: bag, ..<_>::default() };
        let mut calls = JoinSet::new();
        for _ in 0..at_once {
            let (mut client, invoke, check) = (client.clone(), invoke.clone(), check.clone());
            calls.spawn(async move {
                loop {
                    // Whatever comes of it.
                    if self.name == "check" {
                        let _ = client.check(check.clone()).await;
                    } else {
                        let _ = client.invoke(invoke.clone()).await;
                    }
                }
            });
        }
        Ok(calls)
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words)
    }
}

/// Waits until a process has nothing to do.
///
/// # Errors
/// It always has.
pub(crate) async fn over(pid: u32) -> Result<()> {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let before = cpu_time(pid)?;
        tokio::time::sleep(PAUSE).await;
        if cpu_time(pid)?.saturating_sub(before) < PAUSE / 20 {
            return Ok(());
        }
        anyhow::ensure!(tokio::time::Instant::now() < until, "wait for the end of an attack: the host is still busy");
    }
}
