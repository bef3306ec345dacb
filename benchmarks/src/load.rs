//! Load: some callers, each of which calls again as soon as it is answered, over one connection as engines do.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::operation::Operation;
use crate::plugin::Plugin;
use crate::process::{busy, cpu_time};
use crate::requests::Requests;
use crate::statistics::percentile;

/// A load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// What is done.
    pub(crate) operation: Operation,
    /// By how many callers.
    pub(crate) concurrency: usize,
    /// For how long, after a warm-up of a tenth of it.
    pub(crate) duration: Duration,
}

/// What a load showed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Operations per second.
    pub(crate) rate: f64,
    /// The median latency, ms.
    pub(crate) p50: f64,
    /// The latency that 99 of 100 operations stay within, ms.
    pub(crate) p99: f64,
    /// Processor seconds of the provider per 1,000 operations.
    pub(crate) cpu: f64,
    /// How many processors others kept busy: neither the provider nor the callers.
    pub(crate) others: f64,
}

impl Load {
    /// Puts a plugin under this load.
    ///
    /// # Errors
    /// A call that fails.
    pub(crate) async fn put(self, plugin: &Plugin, requests: &Requests) -> Result<Sample> {
        let Self { operation, concurrency, duration } = self;
        let attempt = async {
            self.repeat(duration / 10, plugin, requests).await?;
            let before = Reading::of(plugin)?;
            let mut latencies = self.repeat(duration, plugin, requests).await?;
            let used = before.until(Reading::of(plugin)?);
            latencies.sort_unstable();
            Ok::<_, anyhow::Error>(used.sample(&latencies))
        };
        attempt.await.with_context(|| format!("perform {operation} by {concurrency} callers"))
    }

    /// The latencies of all operations, ns.
    async fn repeat(self, duration: Duration, plugin: &Plugin, requests: &Requests) -> Result<Vec<u64>> {
        let until = Instant::now() + duration;
        let callers: Vec<_> = (0..self.concurrency)
            .map(|_| {
                let (mut client, requests) = (plugin.client.clone(), requests.clone());
                tokio::spawn(async move {
                    let mut latencies = Vec::with_capacity(1 << 14);
                    let mut now = Instant::now();
                    // At least once, however long that takes.
                    while latencies.is_empty() || now < until {
                        requests.perform(self.operation, &mut client).await?;
                        let then = Instant::now();
                        latencies.push(u64::try_from((then - now).as_nanos()).unwrap_or(u64::MAX));
                        now = then;
                    }
                    Ok::<_, tonic::Status>(latencies)
                })
            })
            .collect();
        let mut all = Vec::new();
        for caller in callers {
            all.append(&mut caller.await??);
        }
        Ok(all)
    }
}

/// What the clocks moved between two readings.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    wall: Duration,
    provider: Duration,
    caller: Duration,
    machine: Duration,
}

/// The clocks at one moment.
struct Reading {
    at: Instant,
    provider: Duration,
    caller: Duration,
    machine: Duration,
}

impl Reading {
    fn of(plugin: &Plugin) -> Result<Self> {
        let (provider, caller) = (cpu_time(plugin.pid())?, cpu_time(std::process::id())?);
        Ok(Self { at: Instant::now(), provider, caller, machine: busy()? })
    }

    fn until(self, later: Self) -> Clocks {
        Clocks {
            wall: later.at - self.at,
            provider: later.provider.saturating_sub(self.provider),
            caller: later.caller.saturating_sub(self.caller),
            machine: later.machine.saturating_sub(self.machine),
        }
    }
}

impl Clocks {
    fn sample(self, latencies: &[u64]) -> Sample {
        let operations = latencies.len() as f64;
        let milliseconds = |percent| Duration::from_nanos(percentile(latencies, percent)).as_secs_f64() * 1e3;
        let others = self.machine.saturating_sub(self.provider + self.caller);
        Sample {
            rate: operations / self.wall.as_secs_f64(),
            p50: milliseconds(50),
            p99: milliseconds(99),
            cpu: self.provider.as_secs_f64() * 1e3 / operations,
            others: others.as_secs_f64() / self.wall.as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_neither_provider_nor_callers_used_was_used_by_others() {
        let [wall, provider, caller, machine] = [2_000, 1_000, 500, 2_500].map(Duration::from_millis);
        let sample = Clocks { wall, provider, caller, machine }.sample(&[1_000_000, 2_000_000, 3_000_000, 9_000_000]);
        assert_eq!((sample.rate, sample.p50, sample.p99), (2.0, 2.0, 9.0));
        assert_eq!((sample.cpu, sample.others), (250.0, 0.5));
    }
}
