//! Messages to the user.

use super::imports::log as host;

pub use crate::bindings::wit::log::Level;

/// Tells the provider's author something; not shown by default.
pub fn debug(message: impl AsRef<str>) {
    host::log(Level::Debug, message.as_ref());
}

/// Tells the user something worth knowing.
///
/// ```
/// bulkhead_sdk::log::info("the certificate is valid for 90 days");
/// ```
pub fn info(message: impl AsRef<str>) {
    host::log(Level::Info, message.as_ref());
}

/// Tells the user that something is probably a mistake.
pub fn warn(message: impl AsRef<str>) {
    host::log(Level::Warning, message.as_ref());
}

/// Tells the user that something failed. To make the call fail, return an [`Error`](crate::Error) instead.
pub fn error(message: impl AsRef<str>) {
    host::log(Level::Error, message.as_ref());
}

/// Shows what the operation is doing, beside the resource, replacing what was shown before. The empty string shows nothing.
///
/// ```
/// bulkhead_sdk::log::status("waiting for the volume to be attached");
/// ```
pub fn status(message: impl AsRef<str>) {
    host::status(message.as_ref());
}
