//! Contents that lie on other machines.
//!
//! An address in a program is the user's word, but the request that fetches it comes from here: whoever does it asks policy, with
//! each redirection again. This says only what is needed of them.

use std::fmt;

use url::Url;

use super::spool::Spool;
use super::{Access, AssetError, Blob};

/// Fetches contents. Blocks.
pub(crate) trait Remote: Send + Sync {
    /// Hands over what lies at an address, piece by piece.
    ///
    /// # Errors
    /// A denial, whatever goes wrong on the way, or what `take` refuses.
    fn fetch(
        &self,
        address: &Url,
        take: &mut (dyn FnMut(&[u8]) -> Result<(), AssetError> + Send),
    ) -> Result<(), AssetError>;
}

impl fmt::Debug for dyn Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remote")
    }
}

/// Fetches contents within bounds.
///
/// # Errors
/// What can't be had, or is larger than it may be.
pub(super) fn fetched(address: &Url, access: &Access) -> Result<Blob, AssetError> {
    let Some(remote) = &access.remote else {
        return Err(AssetError::Unavailable("nothing can be fetched outside of a call".to_owned()));
    };
    let mut spool = Spool::default();
    let mut all: u64 = 0;
    remote.fetch(address, &mut |bytes| {
        access.wanted()?;
        all = all.saturating_add(bytes.len() as u64);
        access.fits("what was fetched", all)?;
        // Each opening fetches it anew, to a file of its own.
        access.unpack(bytes.len() as u64)?;
        spool.push(bytes).map_err(|error| AssetError::Unavailable(format!("what was fetched can't be kept: {error}")))
    })?;
    spool.finish().map_err(|error| AssetError::Unavailable(format!("what was fetched can't be kept: {error}")))
}
