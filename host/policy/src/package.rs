//! Other packages that a component has its engine use, as `bulkhead.toml` writes them (`docs/operator.md`).

use std::fmt;

use serde::{Deserialize, Deserializer};

use crate::grant::quoted;
use crate::written::{Reading, Written};

/// What stands for any package.
const ANY: &str = "*";

/// A package. Written as a string where its plugin comes from where engines have it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct PackageGrant {
    /// Its name; `*` for any.
    pub package: String,
    /// Where else its plugin may come from, as a component says it. Whoever may have it from there may have it from where engines
    /// have it, too.
    #[serde(default)]
    pub from: Option<String>,
}

impl PackageGrant {
    /// Whether it gives all that another one does.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        (self.package == ANY || self.package == other.package) && (other.from.is_none() || self.from == other.from)
    }

    /// Whether it gives anything that another one does.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.package == other.package || self.package == ANY || other.package == ANY
    }

    /// In words.
    pub(crate) fn subject(&self) -> String {
        let Self { package, from } = self;
        from.as_ref().map_or_else(|| package.clone(), |from| format!("{package} from {from}"))
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
