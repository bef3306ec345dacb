//! How a command's failure is told: a chain of fragments after `error:`, and a `hint:`.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::legible::legible;
use crate::scarcity;

/// Characters of what is told. A component has a say in it: names of its own, which may be long, or meant for the terminal.
const LONGEST: usize = 1 << 16;

/// A failed command.
#[derive(Debug)]
pub struct CommandError {
    /// What failed, as a fragment after "failed to".
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl CommandError {
    /// A failure without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// A process that the system doesn't let start.
    pub fn unstarted(error: &io::Error) -> Self {
        Self::new(format!("start: {error}")).perhaps(scarcity::remedy(error))
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds what to do about an error of the system's: what gives more of what it hasn't enough of, or else this.
    #[must_use]
    pub fn due_to(self, error: &io::Error, otherwise: impl Into<String>) -> Self {
        match scarcity::remedy(error) {
            Some(remedy) => self.hint(remedy),
            None => self.hint(otherwise),
        }
    }

    /// Adds what to do about it, where anybody can do something.
    #[must_use]
    pub fn perhaps(self, hint: Option<&str>) -> Self {
        Self { hint: hint.map(str::to_owned), ..self }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CommandError {}

/// Tells on stderr what goes on, and isn't what somebody would expect.
pub(super) fn warn(text: &str) {
    // With stderr closed there is nobody left to tell.
    let _ = writeln!(std::io::stderr().lock(), "warning: {}", plain(text));
}

/// The beginning of a text, without what would steer a terminal.
fn plain(text: &str) -> String {
    legible(text.chars().take(LONGEST).collect())
}

/// Tells a failure on stderr and gives the process's exit code.
pub fn report(error: &dyn std::error::Error, hint: Option<String>) -> ExitCode {
    let mut stderr = std::io::stderr().lock();
    // With stderr closed there is nobody left to tell.
    let _ = writeln!(stderr, "error: failed to {}", plain(&error.to_string()));
    if let Some(hint) = hint {
        let _ = writeln!(stderr, "hint: {}", plain(&hint));
    }
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_told_steers_a_terminal_or_has_no_end() {
        assert_eq!(
            plain("duplicate export `\u{1b}]0;x`\n\tof a component"),
            "duplicate export `\u{fffd}]0;x`\n\tof a component"
        );
        assert_eq!(plain(&"ö".repeat(2 * LONGEST)).chars().count(), LONGEST);
    }
}
