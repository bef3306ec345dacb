//! `bulkhead check`: what is wrong with a component, before an engine finds it.
//!
//! The finding is done by `conformance`; here the command's arguments are read and its findings are written down
//! (`docs/check.md` has the form).

mod command;
mod given;
mod report;

pub(super) use command::{Arguments, check};
