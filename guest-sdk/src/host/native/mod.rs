//! Stands in for the host in native tests, with the functions that the bindings have.
//!
//! What is said is kept, per thread, for [`testing`](crate::testing) to look at. What only a
//! host knows is an error, unless the test says it.

pub(crate) mod assets;
pub(crate) mod defaults;
pub(crate) mod engine;
pub(crate) mod http;
pub(crate) mod log;
pub(crate) mod operation;
pub(crate) mod packages;
pub(crate) mod session;
pub(crate) mod views;

/// Forgets the last test of this thread.
pub(crate) fn reset() {
    defaults::reset();
    engine::reset();
    http::reset();
    log::reset();
    operation::reset();
    session::reset();
    views::reset();
}
