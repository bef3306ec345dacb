//! Where it is written down what components do: `[audit]` of `bulkhead.toml`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::place;

/// What a file says of records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct AuditSettings {
    /// The file that lines are added to, relative to the file that says so.
    pub file: Option<PathBuf>,
    /// Whether nothing may be done that can't be written down.
    pub required: bool,
}

/// The same, as it is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    #[serde(deserialize_with = "place::file_if_any")]
    file: Option<PathBuf>,
    required: bool,
}

impl TryFrom<Written> for AuditSettings {
    type Error = &'static str;

    fn try_from(Written { file, required }: Written) -> Result<Self, Self::Error> {
        match (&file, required) {
            // Who requires a record would have none.
            (None, true) => Err("`required` says nothing without a file: name one with `file`, or leave it out"),
            _ => Ok(Self { file, required }),
        }
    }
}

impl AuditSettings {
    /// The file, for settings that stand in a file of this directory.
    pub fn file_from(&self, directory: &Path) -> Option<PathBuf> {
        self.file.as_ref().map(|file| directory.join(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OperatorFile;

    #[test]
    fn a_file_is_named_relative_to_who_names_it() {
        let parsed = OperatorFile::parse("[audit]\nfile = \"audit.jsonl\"\nrequired = true").unwrap();
        let expected = AuditSettings { file: Some("audit.jsonl".into()), required: true };
        assert_eq!(parsed.audit(), &expected);
        assert_eq!(expected.file_from(Path::new("/p")), Some("/p/audit.jsonl".into()));
        let absolute = OperatorFile::parse("[audit]\nfile = \"/var/log/b\"").unwrap();
        assert_eq!(absolute.audit().file_from(Path::new("/p")), Some("/var/log/b".into()));
        assert_eq!(OperatorFile::parse("").unwrap().audit(), &AuditSettings::default());
        let error = OperatorFile::parse("[audit]\nfiel = \"x\"").unwrap_err().to_string();
        assert!(error.contains("unknown field `fiel`"), "{error}");
        let error = OperatorFile::parse("[audit]\nfile = \"a\\u0000\"").unwrap_err().to_string();
        assert!(error.contains("`a\\0` is no path") && error.contains("line 2"), "{error}");
        let error = OperatorFile::parse("[audit]\nrequired = true").unwrap_err().to_string();
        assert!(error.contains("`required` says nothing without a file") && error.contains("line 1"), "{error}");
    }
}
