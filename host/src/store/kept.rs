//! What the host keeps for a guest outside of its memory: heads, bodies that are written and not sent yet, listings, buffers.
//!
//! Each of them is bounded by itself, and a store by its handles; the product of the two is more than any machine has. So all
//! that one instance has kept comes out of one account, and is given back wherever it is dropped, in whatever thread.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::meter::{Refused, Wanted};

/// Bytes that the host keeps for one instance at once.
const MOST: usize = 64 << 20;

/// The account of an instance. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Kept(Arc<Semaphore>);

/// Some of an account. Given back when dropped.
#[derive(Debug)]
pub(crate) struct Room(OwnedSemaphorePermit);

impl Kept {
    /// Room for so many bytes, of what is named as in "memory for headers".
    ///
    /// # Errors
    /// There is less.
    pub(crate) fn room(&self, bytes: usize, of: &'static str) -> Result<Room, Refused> {
        let permits = u32::try_from(bytes).ok();
        let permit = permits.and_then(|permits| Arc::clone(&self.0).try_acquire_many_owned(permits).ok());
        permit.map(Room).ok_or(Refused(Wanted::Kept(of)))
    }

    /// Bytes that count for as long as anybody has them.
    ///
    /// # Errors
    /// There is less room.
    pub(crate) fn bytes(&self, bytes: Bytes, of: &'static str) -> Result<Bytes, Refused> {
        self.bytes_beside(bytes, 0, of)
    }

    /// The same, of bytes that stand beside so many others, which are kept for as long.
    ///
    /// # Errors
    /// There is less room.
    pub(crate) fn bytes_beside(&self, bytes: Bytes, others: usize, of: &'static str) -> Result<Bytes, Refused> {
        let room = self.room(bytes.len().saturating_add(others), of)?;
        Ok(Bytes::from_owner(Chunk { bytes, _room: room }))
    }
}

impl Default for Kept {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }
}

impl Room {
    /// Adds to it what is of the same account.
    pub(crate) fn join(&mut self, other: Self) {
        self.0.merge(other.0);
    }
}

struct Chunk {
    bytes: Bytes,
    _room: Room,
}

impl AsRef<[u8]> for Chunk {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dropped_is_given_back_wherever_that_is() {
        let kept = Kept::default();
        let bytes = kept.bytes(Bytes::from(vec![0; 1 << 20]), "bodies").unwrap();
        let mut rest = kept.room(MOST - (2 << 20), "headers").unwrap();
        rest.join(kept.clone().room(1 << 20, "headers").unwrap());
        assert_eq!(kept.room(1, "listings").unwrap_err(), Refused(Wanted::Kept("listings")));
        let part = bytes.slice(10..20);
        drop(bytes);
        assert!(kept.room(1, "bodies").is_err(), "a part keeps the whole");
        std::thread::spawn(move || drop(part)).join().unwrap();
        assert!(kept.room(1 << 20, "bodies").is_ok() && kept.room((1 << 20) + 1, "bodies").is_err());
        drop(rest);
        assert!(kept.room(MOST, "bodies").is_ok() && kept.room(usize::MAX, "bodies").is_err());
    }
}
