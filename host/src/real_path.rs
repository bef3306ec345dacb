//! Where a path really leads, whether or not anything is there yet: two names of one place are known to be that, by whoever keeps
//! components from it and by whoever writes there.

use std::path::{Path, PathBuf};

/// Where a place really lies, or will lie when it is made.
pub(crate) fn real_path(place: &Path) -> PathBuf {
    let absolute = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
    let real = |above: &Path| Some(above.canonicalize().ok()?.join(absolute.strip_prefix(above).ok()?));
    let found = absolute.ancestors().find_map(real);
    found.unwrap_or(absolute)
}
