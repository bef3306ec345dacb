//! The directory that a guest was granted, and what comes of using it.

use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{Descriptor, ErrorCode};

use crate::types::Error;

/// The directory, or the first of several.
pub fn granted() -> Result<Descriptor, Error> {
    let first = get_directories().into_iter().next();
    first.map(|(directory, _)| directory).ok_or_else(|| Error::Failed("nothing is granted".to_owned()))
}

/// How an error is told.
pub fn told(error: ErrorCode) -> &'static str {
    if error == ErrorCode::Quota { "ErrorCode::Quota" } else { error.name() }
}
