//! Hashes of archives whose contents are at hand, because they are texts.
//!
//! Engines keep no contents on record, and tell by the hash whether something changed. What programs make comes with one. What a
//! provider makes has none until it is computed, and without one any change to it looks like none. So it is computed for the
//! provider, as far as that opens nothing: of files there is nothing but their names here.

use std::collections::{HashSet, btree_map};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Value};

use super::name::cleaned;
use super::tarball::Hasher;

/// How deep archives may lie in archives.
const DEEPEST: usize = 64;

/// How much may be hashed of archives beside their texts. Members of archives in archives have long names that are nowhere as a whole, so
/// that a small value may have gigabytes of them. A guest may give hundreds of values at once, and nothing interrupts the host before
/// it has hashed them all: a clone is the same room.
#[derive(Clone, Debug)]
pub(crate) struct Room(Arc<Left>);

#[derive(Debug)]
struct Left {
    members: AtomicUsize,
    names: AtomicUsize,
}

impl Default for Room {
    fn default() -> Self {
        Self::of(Self::MEMBERS, Self::NAMES)
    }
}

impl Room {
    /// Members.
    const MEMBERS: usize = 50_000;
    /// Bytes of names.
    pub(crate) const NAMES: usize = 32 << 20;

    /// For so many members, with so many bytes of names.
    pub(super) fn of(members: usize, names: usize) -> Self {
        Self(Arc::new(Left { members: members.into(), names: names.into() }))
    }

    /// The archive with the hash that engines compute, if it has none. It stays without where that takes contents that aren't at hand, where
    /// names aren't written as they are hashed, and where there is no room.
    pub(crate) fn hashed(&self, archive: Archive) -> Archive {
        match (&archive.hash, &archive.source) {
            (None, ArchiveSource::Members(members)) => Archive { hash: self.hash(members), ..archive },
            _ => archive,
        }
    }

    /// The hash of members: that of a tar file of them, those of inner archives beneath the archive's name, the first of each name.
    fn hash(&self, members: &Object) -> Option<String> {
        let (mut hasher, mut seen) = (Hasher::default(), HashSet::new());
        let mut open: Vec<(String, btree_map::Iter<'_, String, Value>)> = vec![(String::new(), members.iter())];
        while let Some((above, members)) = open.last_mut() {
            let Some((name, member)) = members.next() else {
                open.pop();
                continue;
            };
            let name = self.named(above, name)?;
            match member {
                Value::Asset(asset) => {
                    let Asset { source: AssetSource::Text(text), .. } = &**asset else { return None };
                    if !seen.contains(&name) {
                        hasher.add_bytes(&name, text.as_bytes());
                        seen.insert(name);
                    }
                }
                Value::Archive(inner) if open.len() < DEEPEST => {
                    let Archive { source: ArchiveSource::Members(members), .. } = &**inner else { return None };
                    open.push((format!("{name}/"), members.iter()));
                }
                _ => return None,
            }
        }
        Some(hasher.finish())
    }

    /// The whole name of a member, if it reads as it is hashed and there is room for it.
    fn named(&self, above: &str, name: &str) -> Option<String> {
        take(&self.0.members, 1)?;
        take(&self.0.names, above.len().checked_add(name.len())?)?;
        let whole = format!("{above}{name}");
        cleaned(&whole).is_ok_and(|clean| clean == whole).then_some(whole)
    }
}

/// Takes so much of what is left. None if there isn't so much.
fn take(left: &AtomicUsize, much: usize) -> Option<()> {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(much)).ok().map(drop)
}
