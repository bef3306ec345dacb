//! There is no deadline unless a test says so, and waiting takes no time but of what is left until then: tests are fast. Calls are
//! cancelled when a test says so.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use crate::bindings::wit::types::Error;
use crate::bindings::wit::values::Tree;

thread_local! {
    static CHECKPOINT: RefCell<Option<(String, Tree)>> = const { RefCell::new(None) };
    static CANCELLED: Cell<bool> = const { Cell::new(false) };
    static REMAINING: Cell<Option<u32>> = const { Cell::new(None) };
}

pub(crate) fn remaining() -> Option<u32> {
    REMAINING.get()
}

pub(crate) fn cancelled() -> bool {
    CANCELLED.get()
}

pub(crate) fn sleep(milliseconds: u32) -> bool {
    if !CANCELLED.get() {
        REMAINING.set(REMAINING.get().map(|left| left.saturating_sub(milliseconds)));
    }
    CANCELLED.get()
}

pub(crate) fn checkpoint(id: &str, state: &Tree) -> Result<(), Error> {
    CHECKPOINT.set(Some((id.to_owned(), state.clone())));
    Ok(())
}

pub(crate) fn cancel() {
    CANCELLED.set(true);
}

/// Says how much time is left.
pub(crate) fn end_in(left: Duration) {
    REMAINING.set(Some(u32::try_from(left.as_millis()).unwrap_or(u32::MAX)));
}

pub(crate) fn last_checkpoint() -> Option<(String, Tree)> {
    CHECKPOINT.with_borrow(Option::clone)
}

pub(crate) fn reset() {
    CHECKPOINT.take();
    CANCELLED.set(false);
    REMAINING.set(None);
}
