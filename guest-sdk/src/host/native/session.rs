//! A store of one thread, in which nobody but the test itself holds a lock.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::bindings::wit::session::SessionError;

thread_local! {
    static VALUES: RefCell<BTreeMap<String, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
    static COUNTERS: RefCell<BTreeMap<String, i32>> = const { RefCell::new(BTreeMap::new()) };
    static HELD: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

#[derive(Debug)]
pub(crate) struct Guard(String);

impl Drop for Guard {
    fn drop(&mut self) {
        // One that its thread outlived is nobody's any more.
        let _ = HELD.try_with(|held| held.borrow_mut().remove(&self.0));
    }
}

pub(crate) fn get(key: &str) -> Option<Vec<u8>> {
    VALUES.with_borrow(|values| values.get(key).cloned())
}

pub(crate) fn compare_and_swap(key: &str, expected: Option<&[u8]>, value: Option<&[u8]>) -> Result<(), SessionError> {
    VALUES.with_borrow_mut(|values| {
        let present = values.get(key);
        if present.map(Vec::as_slice) != expected {
            return Err(SessionError::Conflict(present.cloned()));
        }
        match value {
            Some(value) => values.insert(key.to_owned(), value.to_vec()),
            None => values.remove(key),
        };
        Ok(())
    })
}

pub(crate) fn add(counter: &str, amount: i32) -> Result<i32, SessionError> {
    COUNTERS.with_borrow_mut(|counters| {
        let value = counters.entry(counter.to_owned()).or_default();
        let outside = || SessionError::TooLarge("a shared counter would leave the 32-bit numbers".to_owned());
        *value = value.checked_add(amount).ok_or_else(outside)?;
        Ok(*value)
    })
}

/// Who else could give back a lock that is held? A host ends such a call.
#[expect(clippy::panic, reason = "it is a mistake that a test is there to find")]
pub(crate) fn lock(name: &str) -> Result<Guard, SessionError> {
    if HELD.with_borrow_mut(|held| held.insert(name.to_owned())) {
        return Ok(Guard(name.to_owned()));
    }
    panic!("the lock `{name}` is taken twice: in a component the call would wait for itself, and be ended for it")
}

pub(crate) fn reset() {
    VALUES.take();
    COUNTERS.take();
    HELD.take();
}
