//! Steps are kept.

use std::cell::RefCell;

use crate::bindings::wit::types::Error;
use crate::bindings::wit::views::ViewStep;

thread_local! {
    static STEPS: RefCell<Vec<ViewStep>> = const { RefCell::new(Vec::new()) };
}

pub(crate) fn publish(steps: &[ViewStep]) -> Result<(), Error> {
    STEPS.with_borrow_mut(|kept| kept.extend_from_slice(steps));
    Ok(())
}

pub(crate) fn published() -> Vec<ViewStep> {
    STEPS.with_borrow(Clone::clone)
}

pub(crate) fn reset() {
    STEPS.take();
}
