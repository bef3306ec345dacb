//! The result of some resources is their id, and the host refuses ids that can't be shown or are too long. Once the resource is
//! created that is too late, and nothing that the user can do anything about, so the check names the input.

use crate::import;

/// How many bytes an id may have.
pub(super) const LONGEST: usize = 65_536;

/// Of inputs that would make an id longer.
pub(super) const TOO_LONG: &str = "must be less: the result is the id, which has at most 65536 bytes";

/// Of texts that would be part of an id.
pub(super) const UNPRINTABLE: &str = "must have no control characters, as the result is the id; hint: trim it, if it ends with \
    that of a line";

/// Whether a text can be part of an id, as the host has it.
pub(super) fn is_printable(text: &str) -> bool {
    import::printable(text).is_ok()
}
