//! Which digest a file had when it was last read.
//!
//! A file is taken for the one that was read if the system says the same of it in all that it keeps: device, inode, size, and
//! the times of the last changes to contents and to inode, the latter of which nobody can set. A file that was changed a moment
//! ago isn't remembered: a second change within one tick of the clock would leave no trace. Nor is one whose system keeps no time of the
//! inode's own, as those of images don't: whoever builds the next image may set all of it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::cache::{Cache, KNOWN};
use super::digest::digest;

/// How long a file has to have been left alone. The clocks of file systems tick every few milliseconds.
const QUIET: Duration = Duration::from_millis(100);
/// The same on those that count whole seconds, some of them every other.
const QUIET_IN_SECONDS: Duration = Duration::from_secs(3);

/// What a system says of a file that changes whenever its contents do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds.
    contents_changed: (i64, i64),
    /// Seconds and nanoseconds.
    inode_changed: (i64, i64),
}

#[derive(Serialize, Deserialize)]
struct Known {
    identity: Identity,
    digest: String,
}

impl Identity {
    /// The identity of an open file. None where the system doesn't keep enough.
    #[cfg(unix)]
    pub(crate) fn of(file: &File) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        let metadata = file.metadata().ok()?;
        Some(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            contents_changed: (metadata.mtime(), metadata.mtime_nsec()),
            inode_changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn of(_: &File) -> Option<Self> {
        None
    }

    /// Whether the system seems to say when the inode changed what somebody set for the contents, of which it keeps whole seconds. Where
    /// it does keep both, in seconds, a file that nobody touched since it was written is read each time.
    fn is_settable(&self) -> bool {
        self.inode_changed == self.contents_changed && self.inode_changed.1 == 0
    }

    fn is_quiet(&self, now: SystemTime) -> bool {
        let (seconds, nanoseconds) = self.inode_changed.max(self.contents_changed);
        let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u32::try_from(nanoseconds)) else { return false };
        let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        let quiet = if nanoseconds == 0 { QUIET_IN_SECONDS } else { QUIET };
        now.duration_since(changed).is_ok_and(|age| age > quiet)
    }
}

/// What the document about a file is called: one per path, so that a file's successor takes its place.
fn name(path: &Path) -> Option<String> {
    let path: PathBuf = std::path::absolute(path).ok()?;
    Some(digest(path.as_os_str().as_encoded_bytes()))
}

impl Cache {
    /// The digest that a file had when it was last read, if it is still that file.
    pub(super) fn known(&self, path: &Path, identity: &Identity) -> Option<String> {
        if identity.is_settable() {
            return None;
        }
        let known: Known = serde_json::from_slice(&self.document(&name(path)?, KNOWN)?).ok()?;
        (known.identity == *identity).then_some(known.digest)
    }

    /// Remembers the digest of a file, unless it was changed just now, or might be another one that says the same.
    pub(super) fn remember(&self, path: &Path, identity: &Identity, digest: &str) {
        if identity.is_quiet(SystemTime::now()) && !identity.is_settable() {
            self.record(path, identity, digest);
        }
    }

    pub(super) fn record(&self, path: &Path, identity: &Identity, digest: &str) {
        let Some(name) = name(path) else { return };
        let known = Known { identity: identity.clone(), digest: digest.to_owned() };
        if let Ok(document) = serde_json::to_vec(&known) {
            self.note(&name, KNOWN, &document);
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;

    fn aged(identity: Identity, seconds: i64) -> Identity {
        let earlier = |(at, fraction): (i64, i64)| (at - seconds, fraction);
        Identity {
            contents_changed: earlier(identity.contents_changed),
            inode_changed: earlier(identity.inode_changed),
            ..identity
        }
    }

    #[test]
    fn a_file_is_known_until_anything_about_it_changes() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        let path = directory.path().join("x.wasm");
        fs::write(&path, b"one").unwrap();
        let identity = aged(Identity::of(&File::open(&path).unwrap()).unwrap(), 60);
        assert_eq!(cache.known(&path, &identity), None);
        cache.remember(&path, &identity, "d1");
        assert_eq!(cache.known(&path, &identity).as_deref(), Some("d1"));
        assert_eq!(cache.known(&directory.path().join("y.wasm"), &identity), None, "another path");
        let changes: [fn(&mut Identity); 5] = [
            |identity| identity.device += 1,
            |identity| identity.inode += 1,
            |identity| identity.size += 1,
            |identity| identity.contents_changed.1 += 1,
            |identity| identity.inode_changed.1 += 1,
        ];
        for change in changes {
            let mut other = identity.clone();
            change(&mut other);
            assert_eq!(cache.known(&path, &other), None, "{other:?}");
        }
    }

    #[test]
    fn what_changed_a_moment_ago_may_change_again_unseen() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        let path = directory.path().join("x.wasm");
        fs::write(&path, b"one").unwrap();
        let fresh = Identity::of(&File::open(&path).unwrap()).unwrap();
        let in_seconds = |(seconds, _)| (seconds, 0);
        let of_seconds = Identity {
            contents_changed: in_seconds(fresh.contents_changed),
            inode_changed: in_seconds(fresh.inode_changed),
            ..fresh.clone()
        };
        // Its inode changed when its contents had.
        let of_seconds = Identity { contents_changed: (of_seconds.inode_changed.0 - 1, 0), ..of_seconds };
        for identity in [fresh.clone(), aged(fresh.clone(), -60), aged(of_seconds.clone(), 1)] {
            cache.remember(&path, &identity, "d");
            assert_eq!(cache.known(&path, &identity), None, "{identity:?}");
        }
        cache.remember(&path, &aged(of_seconds.clone(), 60), "d");
        assert!(cache.known(&path, &aged(of_seconds, 60)).is_some());
    }

    #[test]
    fn where_one_time_stands_for_both_the_next_image_may_say_the_same_of_another_file() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        let path = directory.path().join("x.wasm");
        fs::write(&path, b"one").unwrap();
        let identity = Identity::of(&File::open(&path).unwrap()).unwrap();
        let clamped = Identity { contents_changed: (1, 0), inode_changed: (1, 0), ..identity };
        cache.remember(&path, &clamped, "d");
        assert_eq!(cache.known(&path, &clamped), None);
        cache.record(&path, &clamped, "d");
        assert_eq!(cache.known(&path, &clamped), None, "an earlier version remembered it");
        let touched = Identity { inode_changed: (2, 0), ..clamped };
        cache.remember(&path, &touched, "d");
        assert_eq!(cache.known(&path, &touched).as_deref(), Some("d"));
    }
}
