//! Reading an index.

use std::sync::Arc;

use super::{
    FORMAT, MAGIC, Origin, SEAL,
    code::{Code, Reader},
    seal,
};
use crate::model::{Package, Remembered, Section};

/// The package that these bytes are the index of. None if they are no index, none that this host writes, or not that of these
/// documents.
pub fn read(bytes: Vec<u8>, origin: Origin) -> Option<Package> {
    let bytes = Arc::new(bytes);
    let (sealed, found) = bytes.split_last_chunk::<SEAL>()?;
    let mut reader = Reader::of(sealed);
    // What is of others is told before it is looked at as a whole.
    let is_ours = reader.take(MAGIC.len())? == MAGIC
        && reader.number()? == FORMAT
        && reader.text()? == env!("CARGO_PKG_VERSION")
        && reader.take(SEAL)? == origin.0;
    if !is_ours || seal(sealed) != *found {
        return None;
    }
    let package = body(&mut reader, &bytes)?;
    reader.is_done().then_some(package)
}

/// The fields in the order in which they were written.
fn body(reader: &mut Reader<'_>, bytes: &Arc<Vec<u8>>) -> Option<Package> {
    Some(Package {
        name: Code::read(reader)?,
        namespace: Code::read(reader)?,
        version: Code::read(reader)?,
        configuration: Code::read(reader)?,
        overrides: Code::read(reader)?,
        provider: Code::read(reader)?,
        aliases: Code::read(reader)?,
        module_format: Code::read(reader)?,
        parameterization: Code::read(reader)?,
        sources: Code::read(reader)?,
        notices: Code::read(reader)?,
        coerces: Code::read(reader)?,
        labour: Code::read(reader)?,
        remembered: Remembered(Some(Code::read(reader)?)),
        resources: section(reader, bytes)?,
        functions: section(reader, bytes)?,
        types: section(reader, bytes)?,
    })
}

fn section<T: Code>(reader: &mut Reader<'_>, bytes: &Arc<Vec<u8>>) -> Option<Section<T>> {
    let entries: Vec<_> = reader.several(|reader| {
        let token = String::read(reader)?;
        let length = reader.bytes()?.len();
        Some((token, reader.at().checked_sub(length)?..reader.at()))
    })?;
    Some(Section::encoded(Arc::clone(bytes), entries, entry))
}

fn entry<T: Code>(bytes: &[u8]) -> Option<T> {
    let mut reader = Reader::of(bytes);
    let entry = T::read(&mut reader)?;
    reader.is_done().then_some(entry)
}
