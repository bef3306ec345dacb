//! Processes that run, by what the kernel says of them: the way to see what somebody else's processes left behind.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Pid;

/// The processes whose executable lies below a directory.
pub fn running(directory: &Path) -> Vec<Pid> {
    processes(|pid| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|executable| executable.starts_with(directory)))
}

/// Whether no process runs whose executable lies below a directory, after at most this long.
pub fn quiet_within(directory: &Path, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    while !running(directory).is_empty() {
        if Instant::now() > deadline {
            return false;
        }
        sleep(Duration::from_millis(20));
    }
    true
}

/// The processes with a variable in the environment that they were started with, e.g. `PULUMI_HOME=/tmp/x`.
pub(crate) fn running_with(variable: &str) -> Vec<Pid> {
    processes(|pid| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes())
    })
}

/// Processes vanish while one looks; those that can't be read aren't ours.
fn processes(wanted: impl Fn(i32) -> bool) -> Vec<Pid> {
    let entries = fs::read_dir("/proc").expect("the end-to-end tests need /proc");
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| wanted(*pid)).filter_map(Pid::from_raw).collect()
}
