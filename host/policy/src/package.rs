//! Other packages that a component has its engine use, as `bulkhead.toml` writes them (`docs/operator.md`).

use std::fmt;

use serde::{Deserialize, Deserializer};

use crate::grant::quoted;
use crate::written::{Reading, Written};

/// A package. Written as a string where its plugin comes from where engines have it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct PackageGrant {
    /// Its name.
    pub package: String,
    /// Where else its plugin may come from, as a component says it.
    #[serde(default)]
    pub from: Option<String>,
}

impl PackageGrant {
    /// Whether a component may have a package used, whose plugin comes from somewhere.
    pub(crate) fn covers(&self, package: &str, from: Option<&str>) -> bool {
        self.package == package && (from.is_none() || self.from.as_deref() == from)
    }
}

impl<'de> Written<'de> for PackageGrant {
    const EXPECTED: &'static str = "a package, or a table with one";

    fn short(text: &str) -> Result<Self, String> {
        Ok(Self { package: text.to_owned(), from: None })
    }

    fn long<D: Deserializer<'de>>(table: D) -> Result<Self, D::Error> {
        Self::deserialize(table)
    }
}

impl<'de> Deserialize<'de> for PackageGrant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading::default())
    }
}

/// As TOML.
impl fmt::Display for PackageGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let package = quoted(&self.package);
        match &self.from {
            None => f.write_str(&package),
            Some(from) => write!(f, "{{ package = {package}, from = {} }}", quoted(from)),
        }
    }
}
