//! The settings of whoever runs the tests, which decide none and which no test writes to: limits and grants of the user's file, an audit
//! file that the environment names, a collector of traces. What lies in `/etc` can't be helped.

use std::ffi::OsString;
use std::process::Command;

use crate::target;

/// What says where more is written to.
const DESTINATIONS: [&str; 6] = [
    "BULKHEAD_AUDIT",
    "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
];

/// Hides the settings of whoever runs the tests from a command of Bulkhead, but for those that the test gives it.
pub fn hide_settings(command: &mut Command) -> &mut Command {
    let given: Vec<OsString> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
    let is_given = |name: &str| given.iter().any(|given| given == name);
    if !is_given("XDG_CONFIG_HOME") {
        // Nothing is there.
        command.env("XDG_CONFIG_HOME", target::directory().join("tmp").join("without-settings"));
    }
    for name in DESTINATIONS.into_iter().filter(|name| !is_given(name)) {
        command.env_remove(name);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_sees_what_a_test_gives_it_and_no_settings_of_the_machine() {
        let mut command = Command::new("true");
        hide_settings(command.env("BULKHEAD_AUDIT", "audit.jsonl"));
        let value = |name: &str| command.get_envs().find(|(known, _)| *known == name).and_then(|(_, value)| value);
        assert_eq!(value("BULKHEAD_AUDIT"), Some("audit.jsonl".as_ref()));
        assert!(value("XDG_CONFIG_HOME").is_some_and(|place| !std::path::Path::new(place).exists()));
        let removed = command.get_envs().filter(|(_, value)| value.is_none()).count();
        assert_eq!(removed, DESTINATIONS.len() - 1);
    }
}
