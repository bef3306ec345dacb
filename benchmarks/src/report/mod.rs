//! What was found, as Markdown.

mod document;
mod figure;
mod table;
mod verdict;

pub(crate) use document::{Findings, Report};
pub(crate) use figure::figure;
pub(crate) use table::Table;
pub(crate) use verdict::Verdict;
