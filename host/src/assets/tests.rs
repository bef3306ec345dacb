//! Contents on a real disk: against the hashes that engines compute, and against what a file may do to who reads it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Value};
use tempfile::TempDir;

use super::*;

mod files;
mod formats;
mod hashes;

/// A directory with files, and access to it.
fn disk(files: &[(&str, &[u8])]) -> (TempDir, Access) {
    let directory = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    let access = Access { directory: Some(Arc::from(directory.path())), ..Access::default() };
    (directory, access)
}

fn asset(path: &str, hash: Option<&str>) -> Asset {
    Asset { hash: hash.map(str::to_owned), source: AssetSource::Path(path.to_owned()) }
}

fn archive(path: &str, hash: Option<&str>) -> Archive {
    Archive { hash: hash.map(str::to_owned), source: ArchiveSource::Path(path.to_owned()) }
}

fn literal<const N: usize>(members: [(&str, Value); N], hash: &str) -> Archive {
    let members: Object = members.into_iter().map(|(name, member)| (name.to_owned(), member)).collect();
    Archive { hash: Some(hash.to_owned()), source: ArchiveSource::Members(members) }
}

fn text(text: impl Into<String>) -> Value {
    Value::from(Asset::text(text))
}

fn whole(blob: &Blob, access: &Access) -> String {
    String::from_utf8(blob.read(0, u64::MAX, access).unwrap()).unwrap()
}

/// The members of an archive with their contents.
fn members(archive: &Archive, access: &Access) -> Vec<(String, String)> {
    let reader = open_archive(archive, access).unwrap();
    let contents = |name: &String| whole(&reader.member(name).unwrap()(access).unwrap(), access);
    reader.names().into_iter().map(|name| (name.clone(), contents(&name))).collect()
}

fn malformed(archive: &Archive, access: &Access) -> String {
    match open_archive(archive, access).unwrap_err() {
        AssetError::Malformed(reason) => reason,
        other => panic!("{other:?}"),
    }
}
