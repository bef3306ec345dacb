//! Messages are kept.

use std::cell::RefCell;

use crate::bindings::wit::log::Level;

thread_local! {
    static MESSAGES: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
    static STATUS: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(crate) fn log(level: Level, message: &str) {
    MESSAGES.with_borrow_mut(|messages| messages.push((level, message.to_owned())));
}

pub(crate) fn status(message: &str) {
    STATUS.with_borrow_mut(|status| message.clone_into(status));
}

pub(crate) fn messages() -> Vec<(Level, String)> {
    MESSAGES.with_borrow(Vec::clone)
}

pub(crate) fn last_status() -> String {
    STATUS.with_borrow(String::clone)
}

pub(crate) fn reset() {
    MESSAGES.take();
    STATUS.take();
}
