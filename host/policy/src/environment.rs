//! Environment variables that are nobody's but the engine's.
//!
//! A plugin runs in its engine's environment: the access token, the passphrase of the state's secrets, the address of the state with
//! whatever credentials it holds, and the configuration of the package in clear.

/// Whether a variable is the engine's. No grant gives it away.
pub fn belongs_to_engine(name: &str) -> bool {
    name.get(..7).is_some_and(|prefix| prefix.eq_ignore_ascii_case("PULUMI_"))
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
