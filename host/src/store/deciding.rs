//! Which file decides what a limit is: where somebody has to write for a provider to get more.
//!
//! A project's file may set any limit, and files above it narrow that. Where one of those holds a limit down, raising it in the
//! project's changes nothing, and whoever was told to would look for the mistake elsewhere.

use std::collections::BTreeMap;

/// The project's file, which is also where a limit is raised that no file sets.
const PROJECT: &str = "bulkhead.toml";

/// The files above the project's that decide, by the limit's name.
#[derive(Clone, Debug, Default)]
pub struct Deciding(BTreeMap<&'static str, Vec<String>>);

impl Deciding {
    /// A file made the limit what it is, and decides alone from now on.
    pub(super) fn by(&mut self, limit: &'static str, file: &str) {
        self.0.insert(limit, vec![file.to_owned()]);
    }

    /// A file allows no more than the limit is already, and so has to be changed as well.
    pub(super) fn also_by(&mut self, limit: &'static str, file: &str) {
        self.0.entry(limit).or_insert_with(|| vec![PROJECT.to_owned()]).push(file.to_owned());
    }

    /// Where the limit is changed, as it reads after "in".
    pub(crate) fn place(&self, limit: &str) -> String {
        self.place_beside(limit, PROJECT)
    }

    /// The same, with the project's file by its path.
    pub(super) fn place_beside(&self, limit: &str, project: &str) -> String {
        let Some(files) = self.0.get(limit) else { return project.to_owned() };
        let named = |file: &String| if file == PROJECT { project.to_owned() } else { file.clone() };
        files.iter().map(named).collect::<Vec<_>>().join(" and in ")
    }

    /// The files above the project's that allow no more of it.
    pub(super) fn above(&self, limit: &str) -> Option<String> {
        let above = self.0.get(limit)?.iter().filter(|file| *file != PROJECT).cloned().collect::<Vec<_>>();
        (!above.is_empty()).then(|| above.join(" and "))
    }
}
