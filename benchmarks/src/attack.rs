//! Attacks, under way: so many hostile calls at once, each made again as soon as it is over.

use std::fmt;
use std::time::Duration;

use anyhow::Result;
use bulkhead_proto::provider::{CheckRequest, InvokeRequest};
use bulkhead_value::Value;
use prost::Message;
use tokio::task::JoinSet;

use crate::artefacts::zeros;
use crate::hostile::Hostile;
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
    pub(crate) const ALL: [Self; 19] = [
        Self::LOOP,
        Self { name: "memory", words: "takes all memory" },
        Self::FILL,
        Self::WAIT,
        Self { name: "naps", words: "naps for 1 ms, for ever" },
        Self { name: "bursts", words: "computes for 3 ms between naps of 1 ms" },
        Self { name: "slices", words: "computes for 0.4 ms between naps of 1 ns" },
        Self::FILES,
        Self::LIST,
        Self::UNPACK,
        Self::COIN,
        Self { name: "calls", words: "calls the host, for ever" },
        Self { name: "random", words: "draws 4 MiB, for ever" },
        Self { name: "denied", words: "asks for what is denied, for ever" },
        Self { name: "log", words: "logs, for ever" },
        Self { name: "crash", words: "crashes at once" },
        Self { name: "nodes", words: "returns 2 million nodes" },
        Self::TEXT,
        Self { name: "check", words: "has huge values checked" },
    ];
    /// Those of which a thousand are made at once.
    pub(crate) const OF_A_THOUSAND: [Self; 2] = [Self::LOOP, Self::WAIT];
    const COIN: Self = Self { name: "coin", words: "fills 50 MiB in every fifth call" };
    const FILES: Self = Self { name: "files", words: "looks for files, for ever" };
    const FILL: Self = Self { name: "fill", words: "fills memory" };
    const LIST: Self = Self { name: "list", words: "lists 100,000 files, for ever" };
    const LOOP: Self = Self { name: "loop", words: "loops for ever" };
    const TEXT: Self = Self { name: "text", words: "returns 100 MiB" };
    /// That of those that are given an archive.
    const UNPACK: Self = Self { name: "unpack", words: "unpacks 50 MiB, for ever" };
    const WAIT: Self = Self { name: "wait", words: "waits for ever" };

    /// Whether it needs a directory that is granted.
    pub(crate) fn is_on_files(self) -> bool {
        [Self::FILES, Self::LIST].contains(&self)
    }

    /// Begins: so many calls at once, until what is returned is dropped.
    pub(crate) fn begin(self, hostile: &Hostile, at_once: usize) -> Result<JoinSet<()>> {
        let mut inputs = vec![("what", Value::from(self.name))];
        if self == Self::UNPACK {
            inputs.push(("pack", zeros()?));
        }
        let bag = Some(wire(&inputs.into_iter().collect())?);
        let (method, request) = if self.name == "check" {
            let urn = "urn:pulumi:dev::benchmark::hostile:index:Own::name".to_owned();
            ("Check", CheckRequest { urn, news: bag, ..<_>::default() }.encode_to_vec())
        } else {
            let tok = "hostile:index:tell".to_owned();
            ("Invoke", InvokeRequest { tok, args: bag, ..<_>::default() }.encode_to_vec())
        };
        hostile.keep_calling(method, &request, at_once)
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words)
    }
}

/// What hostile calls of two providers do at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Together {
    /// Those of the one.
    pub(crate) first: Attack,
    /// Those of the other.
    pub(crate) second: Attack,
}

impl Together {
    /// What two others cost that do as they should, which is no attack.
    pub(crate) const NONE: Self = Self { first: Attack::NONE, second: Attack::NONE };
    /// Those that want most of the same thing: of processors and memory, of whoever answers, of turns.
    pub(crate) const ALL: [Self; 3] = [
        Self { first: Attack::LOOP, second: Attack::FILL },
        Self { first: Attack::COIN, second: Attack::TEXT },
        Self { first: Attack::LOOP, second: Attack::LOOP },
    ];
}

impl fmt::Display for Together {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + {}", self.first, self.second)
    }
}

/// A row of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// One provider attacks.
    Alone(Attack),
    /// Two do.
    Together(Together),
}

impl Chosen {
    /// All rows.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Attack::ALL.into_iter().map(Self::Alone).chain(Together::ALL.into_iter().map(Self::Together))
    }

    /// Whether this is asked for, by those that are. Without any all are.
    pub(crate) fn is_among(self, only: &[Self]) -> bool {
        only.is_empty() || only.contains(&self)
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alone(attack) => attack.fmt(f),
            Self::Together(pair) => pair.fmt(f),
        }
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
