//! From an asset or archive of a request to its contents.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use bulkhead_value::{Archive, ArchiveFormat, ArchiveSource, Asset, AssetSource, Object, Value};

use super::archive::{Member, Reader};
use super::file::Regular;
use super::remote::fetched;
use super::uri::Place;
use super::{Access, AssetError, Blob, directory, tarball, uri, zipped};

/// How deep archives may lie in archives.
const DEEPEST: usize = 64;

/// Opens an asset whose contents have their recorded hash, if there is one.
///
/// # Errors
/// Contents that can't be had, or have another hash.
pub(crate) fn open_asset(asset: &Asset, access: &Access) -> Result<Blob, AssetError> {
    let blob = match &asset.source {
        AssetSource::Text(text) => {
            access.opening(text.len() as u64)?;
            Blob::bytes(text.as_bytes())
        }
        AssetSource::Path(path) => Blob::file(Regular::open(&access.place(path)?, &access.guarded)?),
        AssetSource::Uri(address) => at(&uri::place(address)?, access)?,
        AssetSource::Elided => return Err(AssetError::Elided),
    };
    access.fits("the asset", blob.size())?;
    blob.expect(asset.hash.as_deref(), access)?;
    Ok(blob)
}

/// What lies at an address.
fn at(place: &Place, access: &Access) -> Result<Blob, AssetError> {
    match place {
        Place::File(path) => Ok(Blob::file(Regular::open(path, &access.guarded)?)),
        Place::Remote(address) => fetched(address, access),
    }
}

/// Opens an archive whose contents have their recorded hash, if there is one.
///
/// # Errors
/// Contents that can't be had, have another hash, or are no archive.
pub(crate) fn open_archive(archive: &Archive, access: &Access) -> Result<Reader, AssetError> {
    Reader::of(listed(archive, access, 0)?)
}

/// The members of an archive with their names, in the order in which they are hashed.
fn listed(archive: &Archive, access: &Access, depth: usize) -> Result<Vec<(String, Member)>, AssetError> {
    if depth > DEEPEST {
        return Err(AssetError::Malformed(format!("archives lie more than {DEEPEST} deep in archives")));
    }
    let hash = archive.hash.as_deref();
    let members = match &archive.source {
        ArchiveSource::Members(members) => flattened(members, access, depth)?,
        ArchiveSource::Path(path) => {
            let place = access.place(path)?;
            match ArchiveFormat::of(path) {
                Some(format) => return file(Blob::file(Regular::open(&place, &access.guarded)?), format, hash, access),
                None => below(&place, access)?,
            }
        }
        ArchiveSource::Uri(address) => {
            let place = uri::place(address)?;
            let unknown = || unknown_format("the address of an archive");
            let format = ArchiveFormat::of(&place.path()).ok_or_else(unknown)?;
            return file(at(&place, access)?, format, hash, access);
        }
        ArchiveSource::Elided => return Err(AssetError::Elided),
    };
    if let Some(expected) = hash
        && hashed(&members, access)? != expected
    {
        return Err(AssetError::Changed);
    }
    Ok(members)
}

/// Members that a request holds one by one, those of inner archives beneath the archive's name.
fn flattened(members: &Object, access: &Access, depth: usize) -> Result<Vec<(String, Member)>, AssetError> {
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_by_key(|(name, _)| *name);
    let mut all = Vec::new();
    for (name, member) in sorted {
        access.one()?;
        match member.plain() {
            Value::Asset(asset) => {
                access.keep_member(name.len().saturating_add(texts(asset)))?;
                all.push((name.clone(), Member::Asset(Asset::clone(asset))));
            }
            Value::Archive(inner) => {
                for (inner, member) in listed(inner, access, depth + 1)? {
                    // Each has the name of all that it is in.
                    access.keep(name.len().saturating_add(1))?;
                    all.push(([name, "/", &inner].concat(), member));
                }
            }
            _ => return Err(AssetError::Malformed(format!("the member `{name}` is neither an asset nor an archive"))),
        }
        if all.len() > access.limits.members {
            let limit = access.limits.members;
            return Err(AssetError::TooLarge(format!("an archive has more than {limit} members")));
        }
    }
    Ok(all)
}

/// Bytes of texts that an asset is kept with.
fn texts(asset: &Asset) -> usize {
    let contents = match &asset.source {
        AssetSource::Text(text) | AssetSource::Path(text) | AssetSource::Uri(text) => text.len(),
        AssetSource::Elided => 0,
    };
    contents.saturating_add(asset.hash.as_ref().map_or(0, String::len))
}

/// The members of an archive that is a file.
fn file(
    file: Blob,
    format: ArchiveFormat,
    hash: Option<&str>,
    access: &Access,
) -> Result<Vec<(String, Member)>, AssetError> {
    access.fits("the archive's file", file.size())?;
    file.expect(hash, access)?;
    let stretches = |tar: &Blob| {
        let members = tarball::list(tar, access)?.into_iter();
        Ok(members.map(|(name, blob)| (name, Member::Stretch(blob))).collect())
    };
    let members: Vec<(String, Member)> = match format {
        ArchiveFormat::Tar => stretches(&file)?,
        ArchiveFormat::TarGzip => stretches(&tarball::gunzipped(&file, access)?)?,
        ArchiveFormat::Zip => {
            let members = zipped::list(&file, access)?.into_iter();
            members.map(|(name, packed)| (name, Member::Packed(packed))).collect()
        }
    };
    let mut names = HashSet::new();
    for (called, _) in &members {
        if !names.insert(called) {
            let shown: String = called.escape_debug().take(200).collect();
            return Err(AssetError::Malformed(format!("the archive has two members called `{shown}`")));
        }
    }
    drop(names);
    Ok(members)
}

/// The files below a directory.
fn below(path: &Path, access: &Access) -> Result<Vec<(String, Member)>, AssetError> {
    if !fs::metadata(path).map_err(|error| AssetError::of_path(path, &error))?.is_dir() {
        return Err(unknown_format(&format!("`{}`", path.display())));
    }
    let real = access.guarded.followed(path)?;
    let found = directory::list(path, &real, access)?.into_iter();
    Ok(found.map(|(name, found)| (name, Member::Found(found))).collect())
}

fn unknown_format(what: &str) -> AssetError {
    AssetError::Malformed(format!("{what} is neither a directory nor ends in .tar, .tgz, .tar.gz, .zip or .jar"))
}

/// The hash of members: that of a tar file of them, the first of each name.
fn hashed(members: &[(String, Member)], access: &Access) -> Result<String, AssetError> {
    let (mut hasher, mut seen) = (tarball::Hasher::default(), HashSet::new());
    for (name, member) in members {
        if seen.insert(name) {
            hasher.add(name, &member.open(access)?, access)?;
        }
    }
    Ok(hasher.finish())
}
