//! Cargo's target directory: where everything that the tests build is kept, and `cargo clean` finds it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tempfile::TempDir;

/// The target directory that this executable was built into.
pub(crate) fn directory() -> PathBuf {
    static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(|| {
        let executable = std::env::current_exe().expect("this executable should have a path");
        let target = executable.ancestors().find(|directory| is_target(directory));
        target.expect("tests should run from cargo's target directory").to_owned()
    });
    DIRECTORY.clone()
}

/// Whether cargo builds into a directory. It tags those that it makes itself, and there may be none to make: guests, which
/// somebody may have built before anything else, have theirs within it. What it knows of the compiler it leaves in each.
fn is_target(directory: &Path) -> bool {
    [".rustc_info.json", "CACHEDIR.TAG"].iter().any(|left| directory.join(left).is_file())
}

/// A new directory, deleted when dropped. It lies in the target directory, so that executables can be hard-linked into it.
pub fn temporary_directory() -> TempDir {
    let parent = directory().join("tmp");
    fs::create_dir_all(&parent).expect("the target directory should be writable");
    tempfile::Builder::new().prefix("e2e-").tempdir_in(parent).expect("the target directory should be writable")
}

/// Does something while no other test process does it: `name` is a file in the target directory that stands for it.
pub(crate) fn exclusively<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let lock = File::create(directory().join(name)).expect("the target directory should be writable");
    lock.lock().expect("files in the target directory should be lockable");
    work()
}
