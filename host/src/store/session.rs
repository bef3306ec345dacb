//! What the instances of one configuration share: values, counters and locks.
//!
//! Instances share no memory, so a token, a rate limit or a mutex of a provider has to live outside of them. All of it is small
//! and bounded, reaches no other configuration, and is gone with its own. Nothing here waits but for a lock, and a guard that is
//! dropped, for whatever reason, gives its lock back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

/// Bounds of what one configuration shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionLimits {
    /// Bytes of all keys, values and counters. 1 MiB.
    pub bytes: usize,
    /// Bytes of one value. 256 KiB.
    pub value: usize,
    /// Keys and counters. 4,096.
    pub keys: usize,
    /// Names of locks that are held or waited for at once. 1,024.
    pub locks: usize,
    /// Bytes of a key, a counter's name or a lock's. 1 KiB.
    pub name: usize,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self { bytes: 1 << 20, value: 256 << 10, keys: 4_096, locks: 1_024, name: 1 << 10 }
    }
}

/// Why a value or a lock can't be had. The texts name no key and no value: either may be secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A bound would be passed.
    TooLarge(String),
    /// Everything that is shared would be larger than its limit, which an operator sets.
    Full(String),
    /// The value isn't the expected one; the present one, if any.
    Conflict(Option<Vec<u8>>),
}

/// The shared part of one configuration.
#[derive(Debug, Default)]
pub(crate) struct Session {
    limits: SessionLimits,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    values: HashMap<String, Vec<u8>>,
    counters: HashMap<String, i32>,
    /// Those that are held or waited for.
    locks: HashMap<String, Arc<Lock<()>>>,
    /// Of names and values, counters included.
    bytes: usize,
}

/// A lock that is held.
#[derive(Debug)]
pub(crate) struct Guard {
    // Dropped in this order: the lock is free when it is looked at whether anybody else wants it.
    _held: OwnedMutexGuard<()>,
    place: Place,
}

/// The wish for a lock, granted or not.
#[derive(Debug)]
struct Place {
    session: Arc<Session>,
    name: String,
}

impl Session {
    pub(crate) fn new(limits: SessionLimits) -> Self {
        Self { limits, kept: Mutex::default() }
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.kept().values.get(key).cloned()
    }

    /// Sets or removes a key that has the expected value.
    ///
    /// # Errors
    /// Another value, or one too many, too large or too long.
    pub(crate) fn compare_and_swap(
        &self,
        key: String,
        expected: Option<&[u8]>,
        value: Option<Vec<u8>>,
    ) -> Result<(), Refusal> {
        self.nameable(&key)?;
        let mut kept = self.kept();
        let present = kept.values.get(&key);
        if present.map(Vec::as_slice) != expected {
            return Err(Refusal::Conflict(present.cloned()));
        }
        let freed = present.map_or(0, |present| key.len() + present.len());
        let Some(value) = value else {
            kept.values.remove(&key);
            kept.bytes -= freed;
            return Ok(());
        };
        if value.len() > self.limits.value {
            return Err(too_large("a shared value", value.len(), self.limits.value, "bytes"));
        }
        if present.is_none() {
            self.room_for_key(&kept)?;
        }
        kept.bytes = self.room_for(kept.bytes - freed, key.len() + value.len())?;
        kept.values.insert(key, value);
        Ok(())
    }

    /// Adds to a counter; its new value.
    ///
    /// # Errors
    /// One counter too many, a name too long, or a sum that is no 32-bit number.
    pub(crate) fn add(&self, counter: String, amount: i32) -> Result<i32, Refusal> {
        self.nameable(&counter)?;
        let mut kept = self.kept();
        let present = kept.counters.get(&counter).copied();
        let sum = present.unwrap_or(0).checked_add(amount);
        let sum = sum.ok_or_else(|| Refusal::TooLarge("a shared counter would leave the 32-bit numbers".to_owned()))?;
        if present.is_none() {
            self.room_for_key(&kept)?;
            kept.bytes = self.room_for(kept.bytes, counter.len() + size_of::<i32>())?;
        }
        kept.counters.insert(counter, sum);
        Ok(sum)
    }

    /// Waits for a lock, after those who came before.
    ///
    /// # Errors
    /// Too many names at once, or too long a one.
    pub(crate) async fn lock(self: &Arc<Self>, name: String) -> Result<Guard, Refusal> {
        self.nameable(&name)?;
        let lock = {
            let mut kept = self.kept();
            match kept.locks.get(&name) {
                Some(lock) => Arc::clone(lock),
                None if kept.locks.len() >= self.limits.locks => {
                    return Err(too_large("the locks in use", kept.locks.len() + 1, self.limits.locks, "names"));
                }
                None => Arc::clone(kept.locks.entry(name.clone()).or_default()),
            }
        };
        let place = Place { session: Arc::clone(self), name };
        let held = lock.lock_owned().await;
        Ok(Guard { _held: held, place })
    }

    fn nameable(&self, name: &str) -> Result<(), Refusal> {
        match name.len() <= self.limits.name {
            true => Ok(()),
            false => Err(too_large("a shared name", name.len(), self.limits.name, "bytes")),
        }
    }

    fn room_for_key(&self, kept: &Kept) -> Result<(), Refusal> {
        match kept.values.len() + kept.counters.len() {
            keys if keys < self.limits.keys => Ok(()),
            keys => Err(too_large("what is shared", keys + 1, self.limits.keys, "keys")),
        }
    }

    /// How much there is with so much more.
    fn room_for(&self, bytes: usize, more: usize) -> Result<usize, Refusal> {
        match bytes.saturating_add(more) {
            all if all <= self.limits.bytes => Ok(all),
            all => {
                let limit = self.limits.bytes;
                let message = format!("what is shared would grow to {all} bytes, and the limit `session` is {limit}");
                Err(Refusal::Full(message))
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guard {
    /// Which lock it is, and of which configuration.
    pub(crate) fn is_of(&self, session: &Arc<Session>, name: &str) -> bool {
        Arc::ptr_eq(&self.place.session, session) && self.place.name == name
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut kept = self.session.kept();
        // Whoever else wants it has a part in it, and got it from here.
        if kept.locks.get(&self.name).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            kept.locks.remove(&self.name);
        }
    }
}

fn too_large(what: &str, amount: usize, limit: usize, unit: &str) -> Refusal {
    Refusal::TooLarge(format!("{what} would grow to {amount} {unit}, and the limit is {limit}"))
}

#[cfg(test)]
mod tests;
