//! Where Bulkhead's own files lie among a user's: whoever reads them there, and whoever keeps components from them, mean the same place.

use std::path::PathBuf;

/// Bulkhead's directory in one of the user's, by the variable that names that, or by where it lies in the home directory otherwise. A
/// relative path is none, as the specification of these variables has it: it would be another place in each project.
fn of_user(variable: &str, otherwise: &str) -> Option<PathBuf> {
    let absolute = |place: &PathBuf| place.is_absolute();
    let named = std::env::var_os(variable).map(PathBuf::from).filter(absolute);
    let place = named.or_else(|| std::env::home_dir().filter(absolute).map(|home| home.join(otherwise)));
    place.map(|place| place.join("bulkhead"))
}

/// The user's settings.
pub(crate) fn settings() -> Option<PathBuf> {
    of_user("XDG_CONFIG_HOME", ".config")
}

/// What was compiled for the user, unless it is kept elsewhere.
pub(crate) fn compiled() -> Option<PathBuf> {
    of_user("XDG_CACHE_HOME", ".cache")
}
