//! Where the same files lie by other paths: what is mounted in two places leads from a granted directory to what no grant gives away,
//! though no link does, and a path says nothing of it. Linux tells of it; elsewhere each path is its own place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the kernel shows of all processes, wherever it is mounted.
const OF_KERNEL: [&str; 3] = ["proc", "sysfs", "devtmpfs"];

/// What is mounted.
#[derive(Debug, Default)]
pub(super) struct Mounts(Vec<Mount>);

#[derive(Debug)]
struct Mount {
    device: String,
    /// What of the device is mounted.
    root: PathBuf,
    /// Where.
    point: PathBuf,
    kind: String,
}

/// Where something lies, whatever it is called: a device, and a path on it.
type Place<'a> = (&'a str, PathBuf);

impl Mounts {
    /// What this process sees mounted.
    pub(super) fn now() -> Self {
        // Where nobody tells, there is nothing but paths.
        Self::parse(&std::fs::read("/proc/self/mountinfo").unwrap_or_default())
    }

    /// Reads the kernel's table.
    pub(super) fn parse(table: &[u8]) -> Self {
        Self(table.split(|byte| *byte == b'\n').filter_map(Mount::parse).collect())
    }

    /// Whether a directory has what the kernel shows of all processes mounted in it, or is a part of that.
    pub(super) fn show_processes(&self, directory: &Path) -> bool {
        self.seen_in(directory).any(|mount| OF_KERNEL.contains(&mount.kind.as_str()))
    }

    /// Whether a directory holds another place, or lies in it, by what is mounted.
    pub(super) fn join(&self, directory: &Path, other: &Path) -> bool {
        let Some((device, lies)) = self.around(other).and_then(|mount| mount.place(other)) else { return false };
        let mut places = self.seen_in(directory).filter_map(move |mount| {
            let at = if directory.starts_with(&mount.point) { directory } else { &mount.point };
            mount.place(at)
        });
        places.any(|(of, place)| of == device && (lies.starts_with(&place) || place.starts_with(&lies)))
    }

    /// The mount that a path is in.
    fn around(&self, path: &Path) -> Option<&Mount> {
        // Of several in one place the last one is seen.
        self.0
            .iter()
            .filter(|mount| path.starts_with(&mount.point))
            .max_by_key(|mount| mount.point.components().count())
    }

    /// The mount that a directory is in, and those in it.
    fn seen_in<'a>(&'a self, directory: &'a Path) -> impl Iterator<Item = &'a Mount> {
        self.around(directory).into_iter().chain(self.0.iter().filter(move |mount| mount.point.starts_with(directory)))
    }
}

impl Mount {
    /// Reads a line: numbers of this mount and the one around it, device, root, point, options, further fields up to a dash, kind.
    fn parse(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|byte| *byte == b' ');
        let text = |field: &[u8]| Some(str::from_utf8(field).ok()?.to_owned());
        let device = text(fields.nth(2)?)?;
        let [root, point] = [path(fields.next()?), path(fields.next()?)];
        let kind = text(fields.skip_while(|field| *field != b"-").nth(1)?)?;
        Some(Self { device, root, point, kind })
    }

    /// What a path in it stands for.
    fn place(&self, path: &Path) -> Option<Place<'_>> {
        Some((&self.device, self.root.join(path.strip_prefix(&self.point).ok()?)))
    }
}

/// A path of the table, in which blanks and backslashes are three octal digits behind a backslash.
fn path(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'\\').then(|| after.split_at_checked(3)).flatten();
        let escaped = escaped.and_then(|(digits, after)| {
            let byte = u8::from_str_radix(str::from_utf8(digits).ok()?, 8).ok()?;
            Some((byte, after))
        });
        let (byte, after) = escaped.unwrap_or((*first, after));
        bytes.push(byte);
        rest = after;
    }
    named(bytes).into()
}

#[cfg(unix)]
fn named(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn named(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
        22 27 0:21 / /proc rw,relatime - proc proc rw\n\
        27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
        40 27 0:40 / /home rw - ext4 /dev/vdb rw\n\
        41 27 0:40 /u/.pulumi /srv/bound/engine rw shared:1 master:2 - ext4 /dev/vdb rw\n\
        42 27 0:40 / /srv/homes rw - ext4 /dev/vdb rw\n\
        43 27 0:21 / /srv/a\\040jail/proc rw - proc proc rw\n\
        44 27 0:44 / /srv/plain/disk rw - ext4 /dev/vdc rw\n\
        45 27 0:40 /u/.pulumi/plugins /srv/inner rw - ext4 /dev/vdb rw\n\
        46 27 0:40 /u/files /srv/files rw - ext4 /dev/vdb rw\n\
        noise\n";

    #[test]
    fn what_is_mounted_in_two_places_is_known_in_both() {
        let mounts = Mounts::parse(TABLE.as_bytes());
        let home = Path::new("/home/u/.pulumi");
        let holds = |directory: &str| mounts.join(Path::new(directory), home);
        for directory in
            ["/srv/bound", "/srv/bound/engine", "/srv/bound/engine/below", "/srv", "/srv/homes/u", "/srv/inner"]
        {
            assert!(holds(directory), "{directory}");
        }
        for directory in ["/srv/homes/another", "/srv/files", "/srv/plain", "/srv/plain/disk/u/.pulumi", "/etc"] {
            assert!(!holds(directory), "{directory}");
        }
    }

    #[test]
    fn processes_are_known_wherever_they_are_shown() {
        let mounts = Mounts::parse(TABLE.as_bytes());
        let show = |directory: &str| mounts.show_processes(Path::new(directory));
        assert!(["/srv/a jail", "/srv/a jail/proc", "/srv/a jail/proc/self", "/srv", "/"].into_iter().all(show));
        assert!(!["/srv/plain", "/srv/plain/disk", "/srv/bound", "/home/u"].into_iter().any(show));
    }

    #[test]
    fn where_nothing_is_known_each_path_is_its_own() {
        let mounts = Mounts::parse(b"");
        assert!(!mounts.join(Path::new("/srv"), Path::new("/srv/x")) && !mounts.show_processes(Path::new("/proc")));
    }
}
