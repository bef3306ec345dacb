//! The languages that authors write: settings in attributes, JSON in `provider!`, doc comments, tokens, names, types.

pub(crate) mod docs;
pub(crate) mod itself;
pub(crate) mod json;
pub(crate) mod name;
pub(crate) mod setting;
pub(crate) mod token;
