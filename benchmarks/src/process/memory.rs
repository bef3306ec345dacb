//! How much memory a process holds.

use std::fs;

use anyhow::{Context, Result};

/// The memory of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    /// Resident pages, MiB.
    pub(crate) resident: f64,
    /// The same, but pages that several processes share are divided among them. MiB.
    pub(crate) proportional: f64,
}

impl Memory {
    /// Of a process.
    ///
    /// # Errors
    /// There is no such process.
    pub(crate) fn of(pid: u32) -> Result<Self> {
        let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok();
        rollup.and_then(|text| Self::parse(&text)).with_context(|| format!("read the memory of the process {pid}"))
    }

    fn parse(rollup: &str) -> Option<Self> {
        let field = |name: &str| {
            let line = rollup.lines().find_map(|line| line.strip_prefix(name))?;
            let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(kib / 1024.0)
        };
        Some(Self { resident: field("Rss:")?, proportional: field("Pss:")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kib_become_mib() {
        let rollup = "55-7f ---p 00:00 0   [rollup]\nRss:                1536 kB\nPss:                 256 kB\nPss_Dirty: 112 kB\n";
        assert_eq!(Memory::parse(rollup), Some(Memory { resident: 1.5, proportional: 0.25 }));
        assert_eq!(Memory::parse("Rss: 1 kB"), None);
    }
}
