//! The machine: what it is, and how busy it is. A measurement beside a busy neighbour is worth less, so each says how busy that was.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};

/// A tick of `/proc/stat`.
const TICK: Duration = Duration::from_millis(10);

/// What the machine is.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// How many processors this process may use.
    pub(crate) processors: usize,
    /// What they are called.
    pub(crate) model: String,
    /// The kernel's version.
    pub(crate) kernel: String,
}

impl Machine {
    /// This machine.
    pub(crate) fn here() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let cpuinfo = read("/proc/cpuinfo");
        let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let model = model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, model)| model.trim().to_owned());
        Self { processors, model, kernel: read("/proc/sys/kernel/osrelease").trim().to_owned() }
    }
}

/// How long the machine's processors have been busy, all together.
///
/// # Errors
/// This isn't Linux.
pub(crate) fn busy() -> Result<Duration> {
    let stat = fs::read_to_string("/proc/stat").ok();
    stat.and_then(|stat| parse(&stat)).context("read /proc/stat: benchmarks run on Linux only")
}

/// user, nice, system, (idle, iowait), irq, softirq, steal. Guests are counted in user already.
fn parse(stat: &str) -> Option<Duration> {
    let fields = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let ticks: Option<Vec<u32>> = fields.take(8).map(|field| field.parse().ok()).collect();
    let busy = ticks?.into_iter().enumerate().filter(|(index, _)| ![3, 4].contains(index));
    Some(TICK * busy.map(|(_, ticks)| ticks).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_not_being_busy() {
        let stat = "cpu  100 20 30 4000 500 1 2 3 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(parse(stat), Some(Duration::from_millis(1_560)));
        assert_eq!(parse("intr 1"), None);
    }
}
