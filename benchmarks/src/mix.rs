//! Well-behaved calls of each kind in turn, by some callers over one connection.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use bulkhead_proto::provider::{CheckRequest, CreateRequest, InvokeRequest};
use bulkhead_value::{Object, Value};

use crate::plugin::Client;
use crate::statistics::percentile;
use crate::values::wire;

/// A mixed load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// How many callers.
    pub(crate) callers: usize,
    /// For how long.
    pub(crate) duration: Duration,
}

/// The latencies of each kind of call, ns, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latencies([Vec<u64>; 3]);

impl Mix {
    /// The kinds of calls.
    pub(crate) const NAMES: [&str; 3] = ["Check", "Create", "Invoke"];

    /// Puts a provider under this load.
    ///
    /// # Errors
    /// A call that fails.
    pub(crate) async fn put(self, client: &Client) -> Result<Latencies> {
        let until = Instant::now() + self.duration;
        let bag = Some(wire(&Object::from([("what", Value::from("well"))]))?);
        let urn = "urn:pulumi:dev::benchmark::hostile:index:Thing::name".to_owned();
        let check = CheckRequest { urn: urn.clone(), news: bag.clone(), ..<_>::default() };
        let create = CreateRequest { urn, properties: bag.clone(), ..<_>::default() };
        let invoke = InvokeRequest { tok: "hostile:index:tell".to_owned(), args: bag, ..<_>::default() };
        let callers: Vec<_> = (0..self.callers)
            .map(|_| {
                let (mut client, check, create, invoke) =
                    (client.clone(), check.clone(), create.clone(), invoke.clone());
                tokio::spawn(async move {
                    let mut latencies = Latencies::default();
                    // At least once, however long that takes.
                    while latencies.0.iter().any(Vec::is_empty) || Instant::now() < until {
                        for (which, latencies) in latencies.0.iter_mut().enumerate() {
                            let begun = Instant::now();
                            match which {
                                0 => drop(client.check(check.clone()).await?),
                                1 => drop(client.create(create.clone()).await?),
                                _ => drop(client.invoke(invoke.clone()).await?),
                            }
                            latencies.push(u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX));
                        }
                    }
                    Ok::<_, tonic::Status>(latencies)
                })
            })
            .collect();
        let mut all = Latencies::default();
        for caller in callers {
            let Latencies(one) = caller.await?.context("make well-behaved calls")?;
            all.0.iter_mut().zip(one).for_each(|(all, mut one)| all.append(&mut one));
        }
        all.0.iter_mut().for_each(|latencies| latencies.sort_unstable());
        Ok(all)
    }
}

impl Latencies {
    /// What so many of a hundred calls of all kinds stay within, ms.
    pub(crate) fn all(&self, percent: usize) -> f64 {
        let mut all = self.0.concat();
        all.sort_unstable();
        milliseconds(percentile(&all, percent))
    }

    /// What so many of a hundred calls of one kind stay within, ms.
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
        let latencies = Latencies([vec![1_000_000], vec![2_000_000, 3_000_000], vec![9_000_000]]);
        assert_eq!((latencies.all(50), latencies.all(99)), (2.0, 9.0));
        assert_eq!((latencies.of(1, 50), latencies.of(1, 99), latencies.of(3, 99)), (2.0, 3.0, 0.0));
    }
}
