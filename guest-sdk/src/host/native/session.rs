//! A store of one thread, in which nobody else holds a lock.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::bindings::wit::session::SessionError;

thread_local! {
    static VALUES: RefCell<BTreeMap<String, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
    static COUNTERS: RefCell<BTreeMap<String, i32>> = const { RefCell::new(BTreeMap::new()) };
}

#[derive(Debug)]
pub(crate) struct Guard;

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

pub(crate) fn lock(_: &str) -> Result<Guard, SessionError> {
    Ok(Guard)
}

pub(crate) fn reset() {
    VALUES.take();
    COUNTERS.take();
}
