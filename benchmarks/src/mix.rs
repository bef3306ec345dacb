//! Well-behaved calls of one kind or of several in turn, by some callers over one connection.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use bulkhead_proto::provider::{CheckRequest, CreateRequest, InvokeRequest};
use bulkhead_value::{Object, Value};
use tonic::Status;

use crate::plugin::Client;
use crate::statistics::percentile;
use crate::values::wire;

/// A load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mix {
    /// What calls do.
    pub(crate) kind: Kind,
    /// How many callers.
    pub(crate) callers: usize,
    /// For how long.
    pub(crate) duration: Duration,
}

/// What calls do. `tests/guests/hostile/examples/some-calls.rs` has the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// What is done at once: Check, Create and Invoke in turn.
    Quick,
    /// Wait for 2 ms.
    Sleep,
    /// Compute for some 10 ms.
    Work,
}

/// The latencies of each call of a kind, ns, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latencies(Vec<Vec<u64>>);

/// A call.
#[derive(Clone, Debug)]
enum Call {
    Check(CheckRequest),
    Create(CreateRequest),
    Invoke(InvokeRequest),
}

impl Mix {
    /// Puts a provider under this load.
    ///
    /// # Errors
    /// A call that fails.
    pub(crate) async fn put(self, client: &Client) -> Result<Latencies> {
        let until = Instant::now() + self.duration;
        let calls = self.kind.calls()?;
        let callers: Vec<_> = (0..self.callers)
            .map(|_| {
                let (mut client, calls) = (client.clone(), calls.clone());
                tokio::spawn(async move {
                    let mut latencies = Latencies(vec![Vec::new(); calls.len()]);
                    // At least once, however long that takes.
                    while latencies.0.iter().any(Vec::is_empty) || Instant::now() < until {
                        for (call, latencies) in calls.iter().zip(&mut latencies.0) {
                            let begun = Instant::now();
                            call.make(&mut client).await?;
                            latencies.push(u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX));
                        }
                    }
                    Ok::<_, Status>(latencies)
                })
            })
            .collect();
        let mut all = Latencies(vec![Vec::new(); calls.len()]);
        for caller in callers {
            let Latencies(one) = caller.await?.context("make well-behaved calls")?;
            all.0.iter_mut().zip(one).for_each(|(all, mut one)| all.append(&mut one));
        }
        all.0.iter_mut().for_each(|latencies| latencies.sort_unstable());
        Ok(all)
    }
}

impl Kind {
    /// The names of what is called quickly.
    pub(crate) const QUICK: [&str; 3] = ["Check", "Create", "Invoke"];

    fn calls(self) -> Result<Vec<Call>> {
        let bag = |what: &str| wire(&Object::from([("what", Value::from(what))])).map(Some);
        let invoke = |what: &str| {
            let tok = "hostile:index:tell".to_owned();
            bag(what).map(|args| Call::Invoke(InvokeRequest { tok, args, ..<_>::default() }))
        };
        let urn = || "urn:pulumi:dev::benchmark::hostile:index:Thing::name".to_owned();
        Ok(match self {
            Self::Quick => vec![
                Call::Check(CheckRequest { urn: urn(), news: bag("well")?, ..<_>::default() }),
                Call::Create(CreateRequest { urn: urn(), properties: bag("well")?, ..<_>::default() }),
                invoke("well")?,
            ],
            Self::Sleep => vec![invoke("honest sleep")?],
            Self::Work => vec![invoke("honest work")?],
        })
    }
}

impl Call {
    async fn make(&self, client: &mut Client) -> Result<(), Status> {
        match self {
            Self::Check(request) => client.check(request.clone()).await.map(drop),
            Self::Create(request) => client.create(request.clone()).await.map(drop),
            Self::Invoke(request) => client.invoke(request.clone()).await.map(drop),
        }
    }
}

impl Latencies {
    /// What so many of a hundred calls stay within, ms.
    pub(crate) fn all(&self, percent: usize) -> f64 {
        let mut all = self.0.concat();
        all.sort_unstable();
        milliseconds(percentile(&all, percent))
    }

    /// The same of one of the calls of a kind.
    pub(crate) fn of(&self, which: usize, percent: usize) -> f64 {
        self.0.get(which).map_or(0.0, |latencies| milliseconds(percentile(latencies, percent)))
    }
}

fn milliseconds(nanoseconds: u64) -> f64 {
    Duration::from_nanos(nanoseconds).as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_of_one_kind_or_of_all() {
        let latencies = Latencies(vec![vec![1_000_000], vec![2_000_000, 3_000_000], vec![9_000_000]]);
        assert_eq!((latencies.all(50), latencies.all(99)), (2.0, 9.0));
        assert_eq!((latencies.of(1, 50), latencies.of(1, 99), latencies.of(3, 99)), (2.0, 3.0, 0.0));
    }
}
