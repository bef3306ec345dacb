//! Where it is written down what components do: `[audit]` of `bulkhead.toml`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What a file says of records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AuditSettings {
    /// The file that lines are added to, relative to the file that says so.
    pub file: Option<PathBuf>,
    /// Whether nothing may be done that can't be written down.
    pub required: bool,
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
    }
}
