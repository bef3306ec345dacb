//! What a process has of its system: a host that keeps something for each program that is long gone would have more and more of it.

use std::fs;
use std::time::Duration;

/// Threads that may be there later and weren't at first: pools start some when they are needed, and end them after a while.
const THREADS: usize = 16;
/// Memory that may be there later and wasn't at first, KiB: not all that is free is given back.
const RESIDENT: usize = 48 << 10;
/// How long it may take until what is over is given back.
const PATIENCE: Duration = Duration::from_secs(20);

/// What there is of everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    descriptors: usize,
    threads: usize,
    /// KiB.
    resident: usize,
}

impl Left {
    /// What there is now. None where no system tells.
    pub(super) fn now() -> Option<Self> {
        let descriptors = fs::read_dir("/proc/self/fd").ok()?.count();
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        Some(Self { descriptors, threads: number("Threads:")?, resident: number("VmRSS:")? })
    }

    /// Waits until there is about as much as there was before. Panics if there is more for ever.
    pub(super) async fn settled(before: Option<Self>) {
        let Some(before) = before else { return };
        let near = |now: Self| {
            now.descriptors <= before.descriptors
                && now.threads <= before.threads + THREADS
                && now.resident <= before.resident + RESIDENT
        };
        let settling = async {
            while !Self::now().is_some_and(near) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let settled = tokio::time::timeout(PATIENCE, settling).await;
        assert!(settled.is_ok(), "before there was {before:?}, and now there is {:?}", Self::now());
    }
}
