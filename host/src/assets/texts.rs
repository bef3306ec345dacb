//! Hashes of archives whose contents are at hand, because they are texts.
//!
//! Engines keep no contents on record, and tell by the hash whether something changed. What programs make comes with one. What a
//! provider makes has none until it is computed, and without one any change to it looks like none. So it is computed for the
//! provider, as far as that opens nothing: of files there is nothing but their names here.

use std::collections::{HashSet, btree_map};

use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Value};

use super::name::cleaned;
use super::tarball::Hasher;

/// How deep archives may lie in archives.
const DEEPEST: usize = 64;

/// How much may be hashed of archives beside their texts. Members of archives in archives have long names that are nowhere as a whole, so
/// that a small value may have gigabytes of them.
#[derive(Debug)]
pub(crate) struct Room {
    /// Members.
    pub(super) members: usize,
    /// Bytes of names.
    pub(super) names: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { members: 50_000, names: 32 << 20 }
    }
}

impl Room {
    /// The archive with the hash that engines compute, if it has none. It stays without where that takes contents that aren't at hand, where
    /// names aren't written as they are hashed, and where there is no room.
    pub(crate) fn hashed(&mut self, archive: Archive) -> Archive {
        match (&archive.hash, &archive.source) {
            (None, ArchiveSource::Members(members)) => Archive { hash: self.hash(members), ..archive },
            _ => archive,
        }
    }

    /// The hash of members: that of a tar file of them, those of inner archives beneath the archive's name, the first of each name.
    fn hash(&mut self, members: &Object) -> Option<String> {
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
    fn named(&mut self, above: &str, name: &str) -> Option<String> {
        self.members = self.members.checked_sub(1)?;
        self.names = self.names.checked_sub(above.len().checked_add(name.len())?)?;
        let whole = format!("{above}{name}");
        cleaned(&whole).is_ok_and(|clean| clean == whole).then_some(whole)
    }
}
