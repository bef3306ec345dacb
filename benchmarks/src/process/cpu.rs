//! How much processor time a process has used.
//!
//! `/proc/PID/stat` counts in ticks of 10 ms, which is half a start-up. `schedstat` counts nanoseconds, but only of threads that are
//! still there. What is true is at least the larger of both.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

/// A tick of `/proc/PID/stat`: the kernel's `USER_HZ`, which is 100 on every architecture that matters.
const TICK: Duration = Duration::from_millis(10);

/// The processor time of a process, all threads, user and system.
///
/// # Errors
/// There is no such process.
pub(crate) fn cpu_time(pid: u32) -> Result<Duration> {
    let directory = Path::new("/proc").join(pid.to_string());
    let read = || -> Option<Duration> {
        let threads = fs::read_dir(directory.join("task")).ok()?.flatten();
        // A thread that ends in the meantime has no file any more.
        let times = threads.filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok());
        let threads: Duration = times.filter_map(|text| nanoseconds(&text)).sum();
        Some(threads.max(ticks(&fs::read_to_string(directory.join("stat")).ok()?)?))
    };
    read().with_context(|| format!("read the processor time of the process {pid}"))
}

/// The first field of `schedstat`: time on a processor.
fn nanoseconds(schedstat: &str) -> Option<Duration> {
    schedstat.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// `utime` and `stime`, the 14th and 15th fields of `stat`. The second is the process's name in parentheses, which may hold anything.
fn ticks(stat: &str) -> Option<Duration> {
    let (_, after_name) = stat.rsplit_once(") ")?;
    let mut fields = after_name.split(' ').skip(11);
    let mut next = || fields.next()?.parse::<u32>().ok();
    Some(TICK * (next()? + next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_named_what_it_likes() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 6635 148 0 333 25 31 9 9 20 0 1 0";
        assert_eq!(ticks(stat), Some(Duration::from_millis(560)));
        assert_eq!(ticks("7 (a"), None);
    }

    #[test]
    fn the_time_on_a_processor_comes_first() {
        assert_eq!(nanoseconds("61474339 235677784 195\n"), Some(Duration::from_nanos(61_474_339)));
        assert_eq!(nanoseconds(""), None);
    }
}
