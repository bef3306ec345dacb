//! Hard stops: a failure that no author's code catches, and what must be done before a call ends.
//!
//! One instance serves one call at a time, so both are kept per thread. A call starts with [`begin`] and ends with [`finish`].

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use crate::error::{Error, Result};

/// The call was stopped. Why is kept for its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an earlier failure ended the call")
    }
}

impl std::error::Error for Stopped {}

/// Something that was started and must be finished before the call ends.
pub(crate) trait Unfinished {
    /// Finishes it, if that wasn't done.
    fn finish(&self) -> Result<(), Stopped>;
}

thread_local! {
    /// What is to be sent to the engine, before anything is waited for: so it is all under way at the same time.
    static UNSENT: RefCell<Vec<Rc<dyn Unfinished>>> = const { RefCell::new(Vec::new()) };
    static UNFINISHED: RefCell<Vec<Rc<dyn Unfinished>>> = const { RefCell::new(Vec::new()) };
    /// The first failure.
    static FAILURE: RefCell<Option<Error>> = const { RefCell::new(None) };
    static STOPPED: Cell<bool> = const { Cell::new(false) };
}

/// Starts a call: nothing of an earlier one is left.
pub(crate) fn begin() {
    STOPPED.set(false);
    FAILURE.take();
    forget();
}

fn forget() {
    UNSENT.take();
    UNFINISHED.take();
}

/// Stops the call. The first failure is what is reported.
pub(crate) fn stop(error: Error) -> Stopped {
    if !STOPPED.replace(true) {
        FAILURE.set(Some(error));
    }
    Stopped
}

/// Whether the call may go on.
pub(crate) fn check() -> Result<(), Stopped> {
    if STOPPED.get() { Err(Stopped) } else { Ok(()) }
}

/// Has a request sent before anything is waited for at the end of the call.
pub(crate) fn send_later(unsent: Rc<dyn Unfinished>) {
    UNSENT.with_borrow_mut(|all| all.push(unsent));
}

/// Has something finished before the call ends.
pub(crate) fn defer(unfinished: Rc<dyn Unfinished>) {
    UNFINISHED.with_borrow_mut(|all| all.push(unfinished));
}

/// Finishes what was started, and what that starts in turn.
pub(crate) fn settle() -> Result<(), Stopped> {
    loop {
        check()?;
        let unsent = UNSENT.take();
        let unfinished = if unsent.is_empty() { UNFINISHED.take() } else { unsent };
        if unfinished.is_empty() {
            return Ok(());
        }
        for unfinished in unfinished {
            unfinished.finish()?;
        }
    }
}

/// Ends a call: the failure that stopped it, or else its own result.
pub(crate) fn finish<T>(result: Result<T>) -> Result<T> {
    forget();
    STOPPED.set(false);
    match FAILURE.take() {
        Some(failure) => Err(failure),
        None => result,
    }
}
