//! Environment variables that are nobody's but the engine's.
//!
//! A plugin runs in its engine's environment: the access token, the passphrase of the state's secrets, the address of the state with
//! whatever credentials it holds, and the configuration of the package in clear.

use serde::{Deserialize, Deserializer};

/// Whether a variable is the engine's. No grant gives it away.
pub fn belongs_to_engine(name: &str) -> bool {
    name.get(..7).is_some_and(|prefix| prefix.eq_ignore_ascii_case("PULUMI_"))
}

/// Whether a text can be a variable's name. `$X` and `X=Y` are what people write who mean `X`.
pub fn is_variable(name: &str) -> bool {
    let proper = |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, '=' | '$' | '*' | '"' | '\'' | '`');
    !name.is_empty() && name.chars().all(proper)
}

/// A name in an operator's file. One that could never be granted would be passed over.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Variable(String);

impl TryFrom<String> for Variable {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match () {
            () if !is_variable(&name) => {
                Err(format!("`{name}` is no name of a variable: write it as in NAME=value, without `$`"))
            }
            () if belongs_to_engine(&name) => {
                Err(format!("`{name}` is the engine's own, and can't be granted: leave it out"))
            }
            () => Ok(Self(name)),
        }
    }
}

/// Reads names of variables.
pub(crate) fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Vec::<Variable>::deserialize(deserializer)?.into_iter().map(|Variable(name)| name).collect())
}

/// Reads names of variables, where there may be none.
pub(crate) fn names_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    names(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::belongs_to_engine;

    #[test]
    fn what_the_engine_is_given_stays_with_it() {
        for name in
            ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_BACKEND_URL", "PULUMI_CONFIG", "pulumi_home"]
        {
            assert!(belongs_to_engine(name), "{name}");
        }
        for name in ["PULUMI", "DNS_TOKEN", "MY_PULUMI_TOKEN", "", "é"] {
            assert!(!belongs_to_engine(name), "{name}");
        }
    }
}
