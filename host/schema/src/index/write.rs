//! Writing an index.

use super::{
    FORMAT, MAGIC, Origin,
    code::{Code, Writer},
    seal,
};
use crate::model::{Package, Section};

/// The index of a package that was read from these documents. None if the package has what no schema can have.
pub fn write(package: &Package, origin: Origin) -> Option<Vec<u8>> {
    let mut writer = Writer::default();
    head(origin, &mut writer);
    body(package, &mut writer);
    (!writer.failed).then(|| sealed(writer.bytes))
}

/// What tells whether an index can be read, and of what it is.
pub(super) fn head(origin: Origin, writer: &mut Writer) {
    writer.bytes.extend_from_slice(MAGIC);
    writer.number(FORMAT);
    writer.text(env!("CARGO_PKG_VERSION"));
    writer.bytes.extend_from_slice(&origin.0);
}

pub(super) fn body(package: &Package, writer: &mut Writer) {
    let Package {
        name,
        namespace,
        version,
        configuration,
        overrides,
        provider,
        resources,
        functions,
        types,
        aliases,
        module_format,
        parameterization,
        sources,
        notices,
        coerces,
        labour,
        remembered: _,
    } = package;
    name.write(writer);
    namespace.write(writer);
    version.write(writer);
    configuration.write(writer);
    overrides.write(writer);
    provider.write(writer);
    aliases.write(writer);
    module_format.write(writer);
    parameterization.write(writer);
    sources.write(writer);
    notices.write(writer);
    coerces.write(writer);
    labour.write(writer);
    package.offers().write(writer);
    section(resources, writer);
    section(functions, writer);
    section(types, writer);
}

/// Each entry after its token and its length, so that it can be left where it is.
fn section<T: Code>(section: &Section<T>, writer: &mut Writer) {
    writer.length(section.iter().count());
    for (token, entry) in section {
        let mut encoded = Writer::default();
        entry.write(&mut encoded);
        writer.failed |= encoded.failed;
        writer.text(token);
        writer.bytes(&encoded.bytes);
    }
}

pub(super) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let seal = seal(&bytes);
    bytes.extend_from_slice(&seal);
    bytes
}
