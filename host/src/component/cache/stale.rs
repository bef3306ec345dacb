//! What nobody needs any more of a cache, deleted whenever machine code is written: what only grows fills a disk in the end.
//!
//! Only what can be made again goes, and only what is called as the cache calls its own: its directory may have other uses. A component that
//! was kept (`DIGEST.wasm`) stays whatever its age, since nobody else may have it. When something was used last, systems say by themselves,
//! some of them to the day and some not at all; no start is held up to write it down.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::files::{self, CODE, DOCUMENTS, INDEX, KNOWN};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long nothing was used that nobody needs.
const UNUSED: Duration = DAY.saturating_mul(90);
/// The same of machine code, where a component has some that was used since: of a version that is gone, or another machine's, with which
/// this one shares its files.
const SUPERSEDED: Duration = DAY.saturating_mul(7);
/// After which time nobody goes on to write a file.
const UNFINISHED: Duration = DAY;

/// The letters of a digest.
const DIGEST: usize = 64;

/// What can be made again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Document,
    Unfinished,
}

struct Entry {
    path: PathBuf,
    digest: String,
    kind: Kind,
    used: SystemTime,
}

/// Deletes what nobody needs. What can't be deleted, or looked at, stays.
pub(super) fn sweep(directory: &Path, now: SystemTime) {
    let entries: Vec<Entry> =
        fs::read_dir(directory).into_iter().flatten().filter_map(|found| entry(&found.ok()?)).collect();
    let mut used: HashMap<&str, SystemTime> = HashMap::new();
    for entry in entries.iter().filter(|entry| entry.kind == Kind::Code) {
        let latest = used.entry(&entry.digest).or_insert(entry.used);
        *latest = entry.used.max(*latest);
    }
    for entry in &entries {
        let is_superseded =
            entry.kind == Kind::Code && used.get(entry.digest.as_str()).is_some_and(|latest| *latest > entry.used);
        let keeps = match entry.kind {
            Kind::Unfinished => UNFINISHED,
            _ if is_superseded => SUPERSEDED,
            Kind::Code | Kind::Document => UNUSED,
        };
        if now.duration_since(entry.used).is_ok_and(|age| age > keeps) {
            let _ = fs::remove_file(&entry.path);
        }
    }
}

/// A file that can be made again. None if it is anything else.
fn entry(found: &fs::DirEntry) -> Option<Entry> {
    let name = found.file_name();
    let (digest, kind) = known(name.to_str()?)?;
    let metadata = found.metadata().ok().filter(fs::Metadata::is_file)?;
    let written = metadata.modified().ok()?;
    let used = metadata.accessed().map_or(written, |read| read.max(written));
    Some(Entry { path: found.path(), digest: digest.to_owned(), kind, used })
}

/// What a name stands for, and the digest in it.
fn known(name: &str) -> Option<(&str, Kind)> {
    let (digest, rest) = name.split_at_checked(DIGEST)?;
    if !digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if rest.strip_prefix('.').is_some_and(|name| DOCUMENTS.contains(&name) || [INDEX, KNOWN].contains(&name)) {
        return Some((digest, Kind::Document));
    }
    if rest.starts_with('-') && rest.ends_with(CODE) {
        return Some((digest, Kind::Code));
    }
    let (_, writer) = rest.strip_suffix(files::UNFINISHED)?.rsplit_once('.')?;
    is_number(writer).then_some((digest, Kind::Unfinished))
}

#[cfg(test)]
mod tests {
    use std::fs::{File, FileTimes};

    use super::*;

    /// A file that was written and read so many days ago.
    fn placed(directory: &Path, name: &str, written: u32, read: u32, now: SystemTime) {
        let file = File::create(directory.join(name)).unwrap();
        let ago = |days| now - DAY * days - DAY / 24;
        file.set_times(FileTimes::new().set_modified(ago(written)).set_accessed(ago(read))).unwrap();
    }

    #[test]
    fn what_nobody_used_for_long_goes_and_nothing_that_is_not_to_be_had_again() {
        let directory = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let [a, b, c] = ["a", "b", "c"].map(|letter| letter.repeat(DIGEST));
        let stays = [
            (format!("{a}-1.cwasm"), 89, 89),
            (format!("{a}.schema.json"), 300, 89),
            (format!("{b}-1.cwasm"), 300, 0),
            // Another machine has its home here, too.
            (format!("{b}-2.cwasm"), 300, 6),
            (format!("{b}-1.12-0-345.tmp"), 0, 0),
            (format!("{a}.wasm"), 900, 900),
            (format!("{c}.wasm"), 900, 900),
            // What others have there.
            (format!("{a}.tar"), 900, 900),
            (format!("{a}.notes.tmp"), 900, 900),
            (format!("{a}.json"), 900, 900),
            ("x.cwasm".to_owned(), 900, 900),
            ("notes.schema.json".to_owned(), 900, 900),
            (format!("{}-1.cwasm", "x".repeat(DIGEST)), 900, 900),
        ];
        let goes = [
            (format!("{b}-3.cwasm"), 300, 7),
            (format!("{c}-1.cwasm"), 90, 90),
            (format!("{c}.schema.json"), 90, 90),
            (format!("{c}.manifest.json"), 90, 90),
            (format!("{c}.known.json"), 90, 90),
            (format!("{c}.index"), 90, 90),
            (format!("{c}.schema.12-0-345.tmp"), 1, 1),
        ];
        stays
            .iter()
            .chain(&goes)
            .for_each(|(name, written, read)| placed(directory.path(), name, *written, *read, now));
        fs::create_dir(directory.path().join(format!("{c}-2.cwasm"))).unwrap();
        sweep(directory.path(), now);
        let is_there = |name: &str| directory.path().join(name).exists();
        for (name, ..) in stays {
            assert!(is_there(&name), "{name}");
        }
        for (name, ..) in goes {
            assert!(!is_there(&name), "{name}");
        }
        assert!(is_there(&format!("{c}-2.cwasm")), "a directory is none of the cache's");
    }
}
