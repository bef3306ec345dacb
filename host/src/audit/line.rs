//! One line: an object of JSON whose members are few, short, and no values of anybody's.

use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::legible::legible_json;

/// Characters of a member. Escaped sixfold, all of them are less than what a system writes in one piece.
const LONGEST: usize = 512;

/// The event of a call of the engine.
pub(super) const RPC: &str = "rpc";

/// How each line begins, and so a file of lines.
pub(crate) const BEGINNING: &[u8] = br#"{"time":"#;

/// What a line says. What isn't known is left out.
#[derive(Default, Serialize)]
pub(super) struct Line<'a> {
    /// In UTC, with microseconds.
    pub(super) time: String,
    /// `rpc`, `decision`, `call` or `dropped`.
    pub(super) event: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) provider: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) digest: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) rpc: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) trace: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) urn: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) token: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) phase: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) capability: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) subject: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) verdict: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) why: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) interface: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) duration_us: Option<u64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) outcome: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) of: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<u64>,
}

impl Line<'_> {
    /// What lines crowd out no others but of their own kind: a component can make any number of some.
    pub(super) fn kind(&self) -> &'static str {
        match (self.event, self.verdict) {
            ("decision", "allowed") => "allowed",
            ("decision", _) => "denied",
            (event, _) => event,
        }
    }

    /// The line, its end included.
    pub(super) fn written(mut self) -> Vec<u8> {
        for member in [
            &mut self.provider,
            &mut self.digest,
            &mut self.rpc,
            &mut self.trace,
            &mut self.urn,
            &mut self.token,
            &mut self.phase,
            &mut self.capability,
            &mut self.subject,
            &mut self.verdict,
            &mut self.why,
            &mut self.interface,
            &mut self.function,
            &mut self.outcome,
        ] {
            *member = cut(member);
        }
        self.time = humantime::format_rfc3339_micros(SystemTime::now()).to_string();
        // Texts and numbers can always be written.
        let mut line = legible_json(serde_json::to_vec(&self).unwrap_or_default());
        line.push(b'\n');
        line
    }
}

/// A duration as lines have it.
pub(super) fn microseconds(duration: Duration) -> Option<u64> {
    u64::try_from(duration.as_micros()).ok()
}

fn cut(text: &str) -> &str {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => text.get(..end).unwrap_or_default(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_whatever_it_says() {
        let (long, control) = ("x".repeat(10_000), "a\nb\u{1}\"c\u{7f}\u{9b}2J\u{202e}\u{2028}\u{e0041}");
        let line = Line { event: "decision", urn: &long, subject: control, count: Some(1), ..Line::default() };
        let written = String::from_utf8(line.written()).unwrap();
        assert_eq!(written.matches('\n').count(), 1);
        assert!(written.as_bytes().starts_with(BEGINNING), "{written}");
        assert!(written.trim_end().is_ascii(), "nothing steers who reads it: {written:?}");
        assert!(!written.trim_end().contains(char::is_control), "nor otherwise: {written:?}");
        let read: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!((&read["subject"], read["urn"].as_str().unwrap().len()), (&control.into(), LONGEST));
        assert_eq!(read.as_object().unwrap().len(), 5, "what isn't known is left out: {read}");
        let time = read["time"].as_str().unwrap();
        assert!(time.len() == "2026-11-21T22:10:11.123456Z".len() && time.ends_with('Z'), "{time}");
    }
}
