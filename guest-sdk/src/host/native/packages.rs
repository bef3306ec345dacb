//! There is no engine to ask.

use crate::bindings::wit::packages::{PackageParameter, PackageReference, PackageSpec, ResolvedPackage};
use crate::bindings::wit::types::Error;

fn nobody<T>() -> Result<T, Error> {
    Err(Error::Unsupported("a native test has no engine to ask for other packages".to_owned()))
}

pub(crate) fn get_schema(_: &PackageReference) -> Result<String, Error> {
    nobody()
}

pub(crate) fn get_parameterized_schema(_: &PackageReference, _: &PackageParameter) -> Result<String, Error> {
    nobody()
}

pub(crate) fn get_mapping(_: &str, _: Option<&PackageReference>) -> Result<Vec<u8>, Error> {
    nobody()
}

pub(crate) fn resolve(_: &PackageSpec) -> Result<ResolvedPackage, Error> {
    nobody()
}
