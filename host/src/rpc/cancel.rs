//! Cancel: advisory, answered at once, repeated at will, and never the end of the process.

use super::conversation::Current;

pub(super) fn cancel(current: &Current) {
    current.get().sessions.cancel();
}
