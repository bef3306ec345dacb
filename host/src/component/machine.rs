//! How much memory this process may have at all, by the machine and by the control groups that it is in.
//!
//! A container's limit is what ends the process, long before the machine has none left.

/// Bytes of memory; none if nobody says.
pub(super) fn memory() -> Option<usize> {
    system::memory().and_then(|bytes| usize::try_from(bytes).ok())
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::path::Path;

    pub(super) fn memory() -> Option<u64> {
        // As `/proc/meminfo` has it, which takes the kernel thirty times as long to write.
        let all = rustix::system::sysinfo();
        let all = all.totalram.checked_mul(all.mem_unit.into());
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        all.into_iter().chain(of_groups(&groups, Path::new("/sys/fs/cgroup"))).min()
    }

    /// The least that any group allows: each lies below others, and all of them count. Lines are `hierarchy:controllers:path`; the
    /// second version of groups has neither number nor controllers.
    pub(super) fn of_groups(groups: &str, root: &Path) -> Option<u64> {
        let group = |line: &str| {
            let (_, rest) = line.split_once(':')?;
            match rest.split_once(':')? {
                ("", path) => Some((root.to_owned(), "memory.max", path.to_owned())),
                ("memory", path) => Some((root.join("memory"), "memory.limit_in_bytes", path.to_owned())),
                _ => None,
            }
        };
        let limits = groups.lines().filter_map(group).flat_map(|(root, file, path)| {
            let ancestors: Vec<_> =
                Path::new(path.trim_start_matches('/')).ancestors().map(|at| root.join(at)).collect();
            ancestors.into_iter().map(move |directory| directory.join(file))
        });
        // "max" is no limit.
        limits.filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok()).min()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn memory() -> Option<u64> {
        None
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs;

    use super::system::of_groups;

    #[test]
    fn the_least_that_any_group_allows_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, limit: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, limit).unwrap();
        };
        write("a/b/memory.max", "max\n");
        write("a/memory.max", "3000\n");
        write("memory/c/memory.limit_in_bytes", "2000\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        for (groups, least) in [
            ("0::/a/b\n", Some(3_000)),
            ("0::/\n", None),
            ("12:cpu,cpuacct:/c\n4:memory:/c\n0::/a/b\n", Some(2_000)),
            ("4:memory:/elsewhere\n", Some(9_223_372_036_854_771_712)),
            ("nonsense", None),
            ("", None),
        ] {
            assert_eq!(of_groups(groups, root.path()), least, "{groups}");
        }
    }

    #[test]
    fn this_machine_has_some() {
        let said = fs::read_to_string("/proc/meminfo").unwrap();
        let total = said.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")).unwrap();
        let all = total.parse::<usize>().unwrap() << 10;
        assert!(super::memory().is_some_and(|bytes| bytes > 1 << 20 && bytes <= all), "of {all}");
    }
}
