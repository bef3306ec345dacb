//! Contents that are at hand, which are those of texts. A test that needs files gives them as texts.

use crate::bindings::wit::assets::AssetError;
use crate::bindings::wit::values::{Archive, Asset, AssetSource};

#[derive(Debug)]
pub(crate) struct Blob(Vec<u8>);

#[derive(Debug)]
pub(crate) struct Reader;

fn absent<T>() -> Result<T, AssetError> {
    Err(AssetError::Unavailable("a native test reads texts only".to_owned()))
}

pub(crate) fn open_asset(asset: &Asset) -> Result<Blob, AssetError> {
    match &asset.source {
        AssetSource::Text(text) => Ok(Blob(text.clone().into_bytes())),
        AssetSource::Elided => Err(AssetError::Elided),
        AssetSource::Path(_) | AssetSource::Uri(_) => absent(),
    }
}

pub(crate) fn open_archive(_: &Archive) -> Result<Reader, AssetError> {
    absent()
}

impl Blob {
    pub(crate) fn size(&self) -> Option<f64> {
        Some(self.0.len() as f64)
    }

    pub(crate) fn read(&self, offset: f64, length: u32) -> Result<Vec<u8>, AssetError> {
        let rest = self.0.iter().skip(offset as usize);
        Ok(rest.take(length as usize).copied().collect())
    }
}

impl Reader {
    pub(crate) fn names(&self) -> Result<Vec<String>, AssetError> {
        absent()
    }

    pub(crate) fn open(&self, _: &str) -> Result<Blob, AssetError> {
        absent()
    }
}
