//! Text made equal between runs and machines, so that it can be compared as a whole.

use std::path::Path;

use regex::Regex;

/// What is replaced by what.
#[derive(Clone, Debug, Default)]
pub struct Redaction {
    literal: Vec<(String, &'static str)>,
    patterns: Vec<(Regex, &'static str)>,
}

impl Redaction {
    /// Replaces what differs in each output: digests, sizes and durations.
    pub fn new() -> Self {
        let patterns = [
            (r"\b[0-9a-f]{64}\b", "[digest]"),
            (r"\b\d+ bytes\b", "[size] bytes"),
            (r"\b\d+(\.\d+)?(ms|s|µs)\b", "[time]"),
            (r"\boffset 0x[0-9a-f]+\b", "offset [offset]"),
            (r"\b127\.0\.0\.1:\d+\b", "[address]"),
        ];
        let compiled = patterns.map(|(pattern, by)| (Regex::new(pattern).expect("patterns should be valid"), by));
        Self { literal: Vec::new(), patterns: compiled.into() }
    }

    /// Replaces a directory too.
    #[must_use]
    pub fn path(mut self, path: &Path, by: &'static str) -> Self {
        self.literal.push((path.display().to_string(), by));
        self
    }

    /// The text with replacements. The paths that were named last are replaced first.
    pub fn apply(&self, text: &str) -> String {
        let paths = self.literal.iter().rev().fold(text.to_owned(), |text, (path, by)| text.replace(path, by));
        self.patterns.iter().fold(paths, |text, (pattern, by)| pattern.replace_all(&text, *by).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_between_runs_is_replaced() {
        let redaction = Redaction::new().path(Path::new("/tmp/a"), "[a]").path(Path::new("/tmp/a/b"), "[b]");
        let text = format!("/tmp/a/b/c in /tmp/a: {} of 17 bytes in 1.5s", "0a".repeat(32));
        assert_eq!(redaction.apply(&text), "[b]/c in [a]: [digest] of [size] bytes in [time]");
    }
}
