//! Open archives: names, and members that are opened one by one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bulkhead_value::{Asset, AssetSource};

use super::directory::Found;
use super::zipped::Packed;
use super::{Access, AssetError, Blob, name, open_asset};

/// What a member takes beside its texts, about, bytes.
const EACH: usize = 128;

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
    /// Bytes that it takes beside its name.
    fn weight(&self) -> usize {
        match self {
            Self::Asset(asset) => match &asset.source {
                AssetSource::Text(text) | AssetSource::Path(text) | AssetSource::Uri(text) => text.len(),
                AssetSource::Elided => 0,
            },
            Self::Found(found) => found.weight(),
            // The file is all members' together.
            Self::Stretch(_) | Self::Packed(_) => 0,
        }
    }

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
            if let Entry::Vacant(place) = named.entry(name::cleaned(&name)?.into_owned()) {
                place.insert(member);
            }
        }
        Ok(Self(named))
    }

    /// Bytes that it keeps of the host's memory.
    pub(crate) fn weight(&self) -> usize {
        let weights =
            self.0.iter().map(|(name, member)| name.len().saturating_add(EACH).saturating_add(member.weight()));
        weights.fold(0, usize::saturating_add)
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
