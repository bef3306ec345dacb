//! `bulkhead grant`: what a component asks for, with its reasons, and on somebody's word the lines that grant it.
//!
//! It writes what a person could write, where a person would: nothing is kept anywhere else, and nothing follows from the
//! component itself.

mod command;
mod file;
#[cfg(test)]
mod followed;
mod place;
mod proposal;

pub(super) use command::{Arguments, grant};
