//! The languages that authors write: settings in attributes, JSON in `provider!`, doc comments, tokens, names.

pub(crate) mod docs;
pub(crate) mod json;
pub(crate) mod name;
pub(crate) mod setting;
pub(crate) mod token;
