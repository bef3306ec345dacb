//! What the host keeps for a guest outside of its memory: heads, bodies that are written and not sent yet, listings, buffers.
//!
//! Each of them is bounded by itself, and a store by its handles; the product of the two is more than any machine has. So all
//! that one instance has kept comes out of one account, and is given back wherever it is dropped, in whatever thread. Instances are
//! many, so it counts with their memory as well.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::memory::{Holding, Share};
use super::meter::{Refused, Wanted};

/// Bytes that the host keeps for one instance at once.
pub(crate) const KEPT: usize = 64 << 20;

/// The account of an instance. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    own: Arc<Semaphore>,
    share: Share,
}

/// Some of an account. Given back when dropped.
#[derive(Debug)]
pub(crate) struct Room {
    own: OwnedSemaphorePermit,
    together: Holding,
}

impl Kept {
    /// The account of one more instance.
    pub(crate) fn new(share: &Share) -> Self {
        Self { own: Arc::new(Semaphore::new(KEPT)), share: share.clone() }
    }

    /// Room for so many bytes, of what is named as in "memory for headers".
    ///
    /// # Errors
    /// There is less.
    pub(crate) fn room(&self, bytes: usize, of: &'static str) -> Result<Room, Refused> {
        let permits = u32::try_from(bytes).ok();
        let own = permits.and_then(|permits| Arc::clone(&self.own).try_acquire_many_owned(permits).ok());
        let own = own.ok_or(Refused(Wanted::Kept(of)))?;
        let mut together = self.share.holding();
        together.take(bytes).map_err(|lack| Refused(lack.into()))?;
        Ok(Room { own, together })
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

#[cfg(test)]
impl Default for Kept {
    fn default() -> Self {
        Self::new(&super::Memory::new(|| 1 << 40).share(1 << 40))
    }
}

impl Room {
    /// Adds to it what is of the same account.
    pub(crate) fn join(&mut self, other: Self) {
        self.own.merge(other.own);
        self.together.join(other.together);
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
    fn what_is_kept_for_many_instances_counts_with_their_memory() {
        let share = super::super::Memory::new(|| 1 << 30).share(100 << 20);
        let (first, second) = (Kept::new(&share), Kept::new(&share));
        let all = first.room(64 << 20, "bodies").unwrap();
        assert_eq!(second.room(64 << 20, "bodies").unwrap_err(), Refused(Wanted::MemoryTogether));
        let mut some = second.room(10 << 20, "bodies").unwrap();
        some.join(second.room(26 << 20, "bodies").unwrap());
        assert!(share.holding().take(1).is_err());
        drop((all, some));
        assert_eq!(share.holding().take(100 << 20), Ok(()));
    }

    #[test]
    fn what_is_dropped_is_given_back_wherever_that_is() {
        let kept = Kept::default();
        let bytes = kept.bytes(Bytes::from(vec![0; 1 << 20]), "bodies").unwrap();
        let mut rest = kept.room(KEPT - (2 << 20), "headers").unwrap();
        rest.join(kept.clone().room(1 << 20, "headers").unwrap());
        assert_eq!(kept.room(1, "listings").unwrap_err(), Refused(Wanted::Kept("listings")));
        let part = bytes.slice(10..20);
        drop(bytes);
        assert!(kept.room(1, "bodies").is_err(), "a part keeps the whole");
        std::thread::spawn(move || drop(part)).join().unwrap();
        assert!(kept.room(1 << 20, "bodies").is_ok() && kept.room((1 << 20) + 1, "bodies").is_err());
        drop(rest);
        assert!(kept.room(KEPT, "bodies").is_ok() && kept.room(usize::MAX, "bodies").is_err());
    }
}
