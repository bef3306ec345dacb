//! Mappings: how names of another ecosystem map to this package's, for converters. In formats that are their own business.

use super::ids::flaw_of_name;
use super::{Context, Error, ErrorKind, Session};

/// Mappings that are told of one ecosystem. No provider stands for more than some.
const MOST: usize = 1_000;

/// A mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The provider's name in the other ecosystem.
    pub provider: String,
    /// The mapping, in a format of the other ecosystem's.
    pub data: Vec<u8>,
}

impl Session {
    /// The mapping of a provider of the ecosystem `key`, or the primary one if none is named. Needs no configuration.
    ///
    /// # Errors
    /// A component without mappings, its failure, or an answer that isn't the one that it announces.
    pub async fn mapping(&self, key: &str, provider: Option<&str>) -> Result<Option<Mapping>, Error> {
        let announced = self.mappings(key).await?;
        let mapping = self.guest.mapping(self.reading(&Context::default()), key, provider).await.map_err(failing)?;
        let found = mapping.as_ref().map(|mapping| mapping.provider.as_str());
        let expected = provider.filter(|provider| announced.iter().any(|known| known == provider));
        let agrees = match (provider, found) {
            (None, Some(found)) => announced.iter().any(|known| known == found),
            (None, None) => true,
            (Some(_), found) => found == expected,
        };
        if !agrees {
            let said = found.map_or_else(|| "none".to_owned(), |found| format!("one for `{found}`"));
            let asked = provider.map_or_else(|| "the primary one".to_owned(), |asked| format!("one for `{asked}`"));
            return Err(Error::provider_bug(format!(
                "the provider was asked for {asked} of its mappings and returned {said}, unlike what it announces"
            )));
        }
        Ok(mapping)
    }

    /// The providers of the ecosystem `key` that there are mappings for. Needs no configuration.
    ///
    /// # Errors
    /// A component without mappings, its failure, or names that name nothing.
    pub async fn mappings(&self, key: &str) -> Result<Vec<String>, Error> {
        self.running()?;
        if !self.exports.mappings {
            return Err(Error::new(ErrorKind::Unsupported, "the component has no mappings"));
        }
        let names = self.guest.mappings(self.reading(&Context::default()), key).await.map_err(failing)?;
        // Before they are looked at: ten million names take a second of the thread that answers.
        if names.len() > MOST {
            let message = format!("the provider announced {} mappings, and {MOST} are the most", names.len());
            return Err(Error::provider_bug(message));
        }
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        let twice = sorted.array_windows().any(|[one, other]| one == other);
        if twice || names.iter().any(String::is_empty) {
            return Err(Error::provider_bug("the provider announced mappings for an empty name, or twice for one"));
        }
        if let Some(flaw) = names.iter().find_map(|name| flaw_of_name(name)) {
            return Err(Error::provider_bug(format!("the provider announced a mapping for {flaw}")));
        }
        Ok(names)
    }
}

/// The failure of a component that has mappings. That it offers none would be an answer, which nobody hears of, nor of why.
fn failing(error: Error) -> Error {
    match error.kind {
        ErrorKind::Unsupported => Error { kind: ErrorKind::Failed, ..error },
        _ => error,
    }
}
