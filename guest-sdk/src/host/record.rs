//! Stands in for the host in native tests: keeps what it is told, per thread.

use std::cell::{Cell, RefCell};

use crate::bindings::wit::log::Level;
use crate::value::Fields;

thread_local! {
    static MESSAGES: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
    static STATUS: RefCell<String> = const { RefCell::new(String::new()) };
    static CHECKPOINT: RefCell<Option<(String, Fields)>> = const { RefCell::new(None) };
    static CANCELLED: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn log(level: Level, message: &str) {
    MESSAGES.with_borrow_mut(|messages| messages.push((level, message.to_owned())));
}

pub(crate) fn status(message: &str) {
    STATUS.with_borrow_mut(|status| message.clone_into(status));
}

pub(crate) fn checkpoint(id: &str, state: Fields) {
    CHECKPOINT.set(Some((id.to_owned(), state)));
}

/// There is no deadline.
pub(crate) fn remaining() -> Option<u32> {
    None
}

pub(crate) fn cancelled() -> bool {
    CANCELLED.get()
}

/// Doesn't wait: tests are fast.
pub(crate) fn sleep(_: u32) -> bool {
    CANCELLED.get()
}

pub(crate) fn cancel() {
    CANCELLED.set(true);
}

pub(crate) fn take_messages() -> Vec<(Level, String)> {
    MESSAGES.take()
}

pub(crate) fn current_status() -> String {
    STATUS.with_borrow(String::clone)
}

pub(crate) fn take_checkpoint() -> Option<(String, Fields)> {
    CHECKPOINT.take()
}

/// Forgets the last test of this thread.
pub(crate) fn reset() {
    MESSAGES.take();
    STATUS.take();
    CHECKPOINT.take();
    CANCELLED.set(false);
}
