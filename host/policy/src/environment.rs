//! Names that nobody can be granted as environment variables, above all the engine's.
//!
//! A plugin runs in its engine's environment: the access token, the passphrase of the state's secrets, the address of the state with
//! whatever credentials it holds, and the configuration of the package in clear.

use serde::{Deserialize, Deserializer};

use crate::written::list;

/// Why a name is nothing that could be granted as a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ungrantable {
    /// The variable is the engine's. No grant gives it away.
    Engines,
    /// It can't be a variable's name. `$X` and `X=Y` are what people write who mean `X`.
    NoName,
}

impl Ungrantable {
    /// Why a name can't be granted; none if it can.
    pub fn of(name: &str) -> Option<Self> {
        let proper =
            |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, '=' | '$' | '*' | '"' | '\'' | '`');
        let engines = name.get(..7).is_some_and(|prefix| prefix.eq_ignore_ascii_case("PULUMI_"));
        match (engines, !name.is_empty() && name.chars().all(proper)) {
            (true, _) => Some(Self::Engines),
            (false, false) => Some(Self::NoName),
            (false, true) => None,
        }
    }
}

/// A name in an operator's file. One that could never be granted would be passed over.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Variable(String);

impl TryFrom<String> for Variable {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match Ungrantable::of(&name) {
            Some(Ungrantable::NoName) => {
                Err(format!("`{name}` is no name of a variable: write it as in NAME=value, without `$`"))
            }
            Some(Ungrantable::Engines) => {
                Err(format!("`{name}` is the engine's own, and can't be granted: leave it out"))
            }
            None => Ok(Self(name)),
        }
    }
}

/// Reads names of variables.
pub(crate) fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(list::<Variable, D>(deserializer)?.into_iter().map(|Variable(name)| name).collect())
}

/// Reads names of variables, where there may be none.
pub(crate) fn names_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    names(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::Ungrantable;

    #[test]
    fn what_the_engine_is_given_stays_with_it() {
        for name in
            ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_BACKEND_URL", "PULUMI_CONFIG", "pulumi_home"]
        {
            assert_eq!(Ungrantable::of(name), Some(Ungrantable::Engines), "{name}");
        }
        for name in ["PULUMI", "DNS_TOKEN", "MY_PULUMI_TOKEN", "é"] {
            assert_eq!(Ungrantable::of(name), None, "{name}");
        }
        for name in ["", "$X", "X=Y", "A B", "*", "A\0", "A\u{1b}"] {
            assert_eq!(Ungrantable::of(name), Some(Ungrantable::NoName), "{name}");
        }
    }
}
