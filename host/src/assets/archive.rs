//! Open archives: names, and members that are opened one by one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bulkhead_value::Asset;

use super::directory::Found;
use super::zipped::Packed;
use super::{Access, AssetError, Blob, name, open_asset};

/// An open archive.
#[derive(Debug)]
pub(crate) struct Reader(BTreeMap<String, Member>);

/// A member that isn't open.
#[derive(Clone, Debug)]
pub(super) enum Member {
    /// One that the request holds by itself.
    Asset(Asset),
    /// A file below a directory.
    Found(Found),
    /// A stretch of a tar file.
    Stretch(Blob),
    /// A member of a zip file.
    Packed(Packed),
}

impl Member {
    pub(super) fn open(&self, access: &Access) -> Result<Blob, AssetError> {
        let blob = match self {
            Self::Asset(asset) => return open_asset(asset, access),
            Self::Found(found) => found.open()?,
            Self::Stretch(blob) => blob.clone(),
            Self::Packed(packed) => packed.open(access)?,
        };
        access.fits("a member of an archive", blob.size())?;
        Ok(blob)
    }
}

impl Reader {
    /// Of members with their names, of which the first of a name counts.
    ///
    /// # Errors
    /// A name that may lead elsewhere.
    pub(super) fn of(members: Vec<(String, Member)>) -> Result<Self, AssetError> {
        let mut named = BTreeMap::new();
        for (name, member) in members {
            // Names are kept once.
            let clean = match name::cleaned(&name)? {
                Cow::Borrowed(_) => None,
                Cow::Owned(clean) => Some(clean),
            };
            if let Entry::Vacant(place) = named.entry(clean.unwrap_or(name)) {
                place.insert(member);
            }
        }
        Ok(Self(named))
    }

    /// The members' names, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    /// A member, which is opened elsewhere. None if there is none of the name.
    pub(crate) fn member(&self, name: &str) -> Option<impl FnOnce(&Access) -> Result<Blob, AssetError> + Send + use<>> {
        let member = self.0.get(name)?.clone();
        Some(move |access: &Access| member.open(access))
    }
}
