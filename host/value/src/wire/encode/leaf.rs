//! Values with nothing below them, and the parts of others that are no values. Members are written in the reverse order
//! of their sorted names.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{Capabilities, Refusal};
use crate::{
    Archive, ArchiveSource, Asset, AssetSource, Kind, Output, Reference, Urn, Value, signature,
    wire::{
        format::{LIST, STRUCT},
        writer::Writer,
    },
};

/// A string that will be read back as this string, and not as an unknown value.
pub(super) fn checked(text: &str) -> Result<&str, Refusal> {
    if signature::is_unknown(text) { Err(Refusal::Sentinel) } else { Ok(text) }
}

pub(super) fn bytes(bytes: &[u8], writer: &mut Writer) {
    let end = writer.mark();
    writer.text_entry("value", &STANDARD.encode(bytes));
    writer.text_entry(signature::KEY, signature::BYTES);
    writer.close(STRUCT, end);
}

pub(super) fn hash(hash: Option<&str>, writer: &mut Writer) -> Result<(), Refusal> {
    if let Some(hash) = hash {
        writer.text_entry("hash", checked(hash)?);
    }
    Ok(())
}

/// An empty text beside a hash isn't written: the hash says it, and upstream writes it so.
pub(super) fn asset(asset: &Asset, writer: &mut Writer) -> Result<(), Refusal> {
    let end = writer.mark();
    match &asset.source {
        AssetSource::Text(text) if text.is_empty() && asset.hash.is_some() => {}
        AssetSource::Text(text) => writer.text_entry("text", checked(text)?),
        AssetSource::Path(path) if !path.is_empty() => writer.text_entry("path", checked(path)?),
        AssetSource::Uri(uri) if !uri.is_empty() => writer.text_entry("uri", checked(uri)?),
        _ if asset.hash.is_some() => {}
        _ => return Err(Refusal::Hollow { kind: Kind::Asset }),
    }
    hash(asset.hash.as_deref(), writer)?;
    writer.text_entry(signature::KEY, signature::ASSET);
    writer.close(STRUCT, end);
    Ok(())
}

/// An archive that isn't given by its members.
pub(super) fn archive(archive: &Archive, writer: &mut Writer) -> Result<(), Refusal> {
    let end = writer.mark();
    match &archive.source {
        ArchiveSource::Path(path) if !path.is_empty() => writer.text_entry("path", checked(path)?),
        ArchiveSource::Uri(uri) if !uri.is_empty() => writer.text_entry("uri", checked(uri)?),
        _ if archive.hash.is_some() => {}
        _ => return Err(Refusal::Hollow { kind: Kind::Archive }),
    }
    hash(archive.hash.as_deref(), writer)?;
    writer.text_entry(signature::KEY, signature::ARCHIVE);
    writer.close(STRUCT, end);
    Ok(())
}

/// The name and the type repeat what the URN says, as upstream writes them; no reader needs them.
pub(super) fn reference(reference: &Reference, may: &Capabilities, writer: &mut Writer) -> Result<(), Refusal> {
    let id = reference.id.as_ref().map(|id| id.known());
    if id == Some(None) && !may.unknowns {
        return Err(Refusal::Unknown);
    }
    if !may.resources {
        match reference.downgraded() {
            Value::String(text) => writer.text(checked(&text)?),
            _ => writer.text(signature::UNKNOWN),
        }
        return Ok(());
    }
    let end = writer.mark();
    let urn = Urn::parse(&reference.urn).ok();
    writer.text_entry("urn", checked(&reference.urn)?);
    if let Some(urn) = &urn {
        writer.text_entry("type", checked(urn.token())?);
    }
    if !reference.package_version.is_empty() {
        writer.text_entry("packageVersion", checked(&reference.package_version)?);
    }
    if let Some(name) = urn.as_ref().map(Urn::name).filter(|name| !name.is_empty()) {
        writer.text_entry("name", checked(name)?);
    }
    if let Some(id) = id {
        writer.text_entry("id", checked(id.unwrap_or_default())?);
    }
    writer.text_entry(signature::KEY, signature::REFERENCE);
    writer.close(STRUCT, end);
    Ok(())
}

/// Whether an output is secret, and what it depends on.
pub(super) fn output_facts(output: &Output, writer: &mut Writer) {
    if output.secret {
        let end = writer.mark();
        writer.truth(true);
        writer.close_entry("secret", end);
    }
    if !output.dependencies.is_empty() {
        let end = writer.mark();
        for urn in output.dependencies.iter().rev() {
            let item = writer.mark();
            writer.text(urn);
            writer.close_item(item);
        }
        writer.close(LIST, end);
        writer.close_entry("dependencies", end);
    }
}
