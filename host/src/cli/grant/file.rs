//! An operator's file with more granted in it. What people wrote there stays as they wrote it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use bulkhead_policy::{Grant, OperatorFile, quoted};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value, value};

/// Why a file can't be extended.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExtendError {
    /// It isn't TOML.
    #[error("it isn't TOML: {0}")]
    Malformed(#[from] toml_edit::TomlError),
    /// Somebody wrote it in another form.
    #[error("`{0}` is written in a form that can't be extended")]
    Form(String),
    /// What came of it isn't an operator's file.
    #[error("it wouldn't be an operator's file any more: {0}")]
    Unreadable(#[from] bulkhead_policy::OperatorFileError),
}

/// The text of a file with a grant in it, and limits that it doesn't set yet.
///
/// # Errors
/// A file of another form.
pub(super) fn extended(
    text: &str,
    provider: &str,
    title: &str,
    (of, limits): (&Grant, &[(&'static str, String)]),
) -> Result<String, ExtendError> {
    let mut document: DocumentMut = text.parse()?;
    let form = |name: &str| ExtendError::Form(name.to_owned());
    let providers =
        document.entry("providers").or_insert_with(implicit).as_table_mut().ok_or_else(|| form("providers"))?;
    let settings = providers.entry(provider).or_insert_with(implicit).as_table_mut().ok_or_else(|| form(provider))?;
    let grants = settings.entry("grants").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let grants = grants.as_array_of_tables_mut().ok_or_else(|| form("grants"))?;
    let digest = of.digest.to_string();
    let known = grants.iter().position(|grant| grant.get("digest").and_then(Item::as_str) == Some(&digest));
    if known.is_none() {
        let mut table = Table::new();
        // Nobody who reads the file should have to look up a digest.
        let apart = if text.trim().is_empty() { "" } else { "\n" };
        table.decor_mut().set_prefix(format!("{apart}# {title}\n"));
        table.insert("digest", value(digest));
        grants.push(table);
    }
    let last = grants.len().saturating_sub(1);
    let grant = grants.get_mut(known.unwrap_or(last)).ok_or_else(|| form("grants"))?;
    let lines = |granted: &mut dyn Iterator<Item = String>| granted.collect::<Vec<String>>();
    let quoted = |text: &String| quoted(text);
    for (capability, granted) in [
        ("network", lines(&mut of.network.iter().map(ToString::to_string))),
        ("environment", lines(&mut of.environment.iter().map(quoted))),
        ("filesystem", lines(&mut of.filesystem.iter().map(ToString::to_string))),
        ("packages", lines(&mut of.packages.iter().map(ToString::to_string))),
        ("certificates", lines(&mut of.certificates.iter().map(quoted))),
    ] {
        add(grant, capability, granted)?;
    }
    if !limits.is_empty() {
        let set = settings.entry("limits").or_insert_with(|| Item::Table(Table::new()));
        let set = set.as_table_like_mut().ok_or_else(|| form("limits"))?;
        for (name, raised) in limits {
            // One that somebody has set is somebody's decision.
            set.entry(name).or_insert_with(|| raised.parse::<i64>().map_or_else(|_| value(raised), value));
        }
    }
    let text = document.to_string();
    OperatorFile::parse(&text)?;
    Ok(text)
}

/// A table that is only there for what is in it.
fn implicit() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

/// Adds to a list what isn't in it.
fn add(grant: &mut Table, capability: &str, granted: Vec<String>) -> Result<(), ExtendError> {
    if granted.is_empty() {
        return Ok(());
    }
    let form = || ExtendError::Form(capability.to_owned());
    let list = grant.entry(capability).or_insert_with(|| value(Array::new()));
    let list = list.as_array_mut().ok_or_else(form)?;
    for line in granted {
        let line: Value = line.parse()?;
        let known = list.iter().any(|known| known.to_string().trim() == line.to_string().trim());
        if !known {
            list.push(line);
        }
    }
    Ok(())
}

/// Puts a text in a file's place, whole or not at all. A link there is replaced too, so the path is to be where the file really lies. What
/// is in between has a name that means nothing to anybody, so errors don't say it.
///
/// # Errors
/// A directory that can't be written to.
pub(super) fn replace(real: &Path, text: &str) -> io::Result<()> {
    let directory = real.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let plain = |error: io::Error| io::Error::from(error.kind());
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(plain)?;
    file.write_all(text.as_bytes()).map_err(plain)?;
    let permissions = fs::metadata(real).map(|found| found.permissions());
    if let Ok(permissions) = permissions.or_else(|_| readable()) {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(real).map_err(|error| plain(error.error))?;
    Ok(())
}

/// As files are made that everybody may read.
#[cfg(unix)]
fn readable() -> io::Result<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable() -> io::Result<fs::Permissions> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use bulkhead_policy::Granted;

    use super::*;

    #[test]
    fn nothing_that_is_written_is_hidden_or_turned_from_who_reads_it() {
        let steering = "a\u{202e}b\u{200b}'\"\\c";
        let requests = serde_json::json!({
            "environment": [{ "name": "A\u{202e}B", "reason": "r" }],
            "filesystem": [
                { "path": steering, "access": "read", "reason": "r" },
                { "path": steering, "access": "write", "reason": "r" },
            ],
            "packages": [{ "package": steering, "from": steering, "reason": "r" }],
        });
        let mut grant = Grant::of(&serde_json::from_value(requests).unwrap(), Granted::Development);
        grant.certificates = vec![steering.to_owned()];
        let text = extended("", "p", "p 1.0.0", (&grant, &[])).unwrap();
        assert!(text.is_ascii(), "{text}");
        assert_eq!(OperatorFile::parse(&text).unwrap().grants("p"), [grant]);
    }

    #[test]
    fn an_error_names_nothing_that_nobody_knows() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("gone/bulkhead.toml");
        let error = replace(&path, "").unwrap_err();
        assert_eq!((error.kind(), error.to_string().contains(".tmp")), (io::ErrorKind::NotFound, false), "{error}");
    }
}
