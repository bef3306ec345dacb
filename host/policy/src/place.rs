//! Paths, as an operator's file names them.
//!
//! A path with a NUL in it is none on any system, and an empty one would be the directory that it starts at. Whoever wrote one meant
//! another, and would hear of it only from the call that finds nothing there, or something else.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

use crate::written::list;

/// A path that some system could have.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Place(String);

impl TryFrom<String> for Place {
    type Error = String;

    fn try_from(path: String) -> Result<Self, String> {
        proper(&path).map(|()| Self(path))
    }
}

/// Whether something can be a path.
///
/// # Errors
/// Why not, and what to do.
pub(crate) fn proper(path: &str) -> Result<(), String> {
    match path {
        "" => Err("`` is no path: leave it out, or write `.` for this file's directory".to_owned()),
        path if path.contains('\0') => {
            Err(format!("`{}` is no path: write it without the NUL (`\\u0000`) in it", path.escape_debug()))
        }
        _ => Ok(()),
    }
}

/// Reads a path.
pub(crate) fn path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Place::deserialize(deserializer).map(|Place(path)| path)
}

/// Reads a path, where there may be none.
pub(crate) fn path_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    path(deserializer).map(Some)
}

/// Reads paths.
pub(crate) fn paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(list::<Place, D>(deserializer)?.into_iter().map(|Place(path)| path).collect())
}

/// Reads a file's path, where there may be none.
pub(crate) fn file_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    path(deserializer).map(|path| Some(path.into()))
}
