//! What becomes of a panic. The instance ends, which the host reports as the provider's bug; where it happened is said here.

use std::panic::{PanicHookInfo, set_hook};
use std::sync::Once;

use crate::host::log;

/// Reports panics through the log from now on.
///
/// The place is shown to the user, so that a report is of use. The message isn't, except to those who ask for debug output: it may
/// hold a value, and the host knows only the secrets that it sent itself.
pub(super) fn report() {
    static REPORTING: Once = Once::new();
    REPORTING.call_once(|| set_hook(Box::new(hook)));
}

fn hook(info: &PanicHookInfo<'_>) {
    let place = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    log::error(format!("the provider panicked at {place}"));
    if let Some(message) = info.payload_as_str() {
        log::debug(format!("the panic's message: {message}"));
    }
}
