//! Ids, which a provider makes up and everybody else passes on unread: into records, lines of output, requests, statuses.
//!
//! They are opaque, so little can be asked of them. What is asked keeps an id from being something else where it is put.

use bulkhead_value::signature::is_unknown;

use super::shortened;
use crate::legible::controls;

/// Bytes of an id. It travels with every request, and in the headers of failures.
const LONGEST: usize = 64 << 10;

/// Characters of a token that is told.
const LONGEST_TOLD: usize = 256;

/// What is wrong with an id, as the end of a sentence; none if it can be passed on.
pub(crate) fn flaw(id: &str) -> Option<String> {
    if is_too_long(id) {
        return Some(format!("an id of {} bytes, and {LONGEST} are the most", id.len()));
    }
    if is_unknown(id) {
        return Some("an id that stands for a value that isn't known".to_owned());
    }
    id.contains(controls).then(|| "an id with control characters".to_owned())
}

/// Whether nobody can go on with a resource by an id: it can't be told, whatever the failure, or stands for what isn't known.
pub(crate) fn leads_nowhere(id: &str) -> bool {
    is_too_long(id) || is_unknown(id)
}

/// What is wrong with a name that people are shown, as the end of a sentence; none if it can be passed on.
pub(crate) fn flaw_of_name(name: &str) -> Option<String> {
    flaw_of_length(name).or_else(|| name.contains(controls).then(|| "a name with control characters".to_owned()))
}

/// What is wrong with what somebody is called, if it is longer than anybody's name, as the end of a sentence.
pub(crate) fn flaw_of_length(name: &str) -> Option<String> {
    is_too_long(name).then(|| format!("a name of {} bytes, and {LONGEST} are the most", name.len()))
}

/// What is wrong with a type token that a component registers, as the end of a sentence; none if it can be passed on. In a URN types
/// of parents come before a resource's own, each followed by this sign, and engines read what comes after the last one. The name comes after
/// two colons.
pub(crate) fn flaw_of_type(token: &str) -> Option<String> {
    let sign = ["$", "::"].into_iter().find(|sign| token.contains(sign));
    flaw_of_name(token).or_else(|| sign.map(|sign| format!("a type with a `{sign}` in it")))
}

/// What is wrong with a token by which an engine looks for a provider, as the end of a sentence; none if it can be asked. An engine ends,
/// with the whole deployment, over one without a module.
pub(crate) fn flaw_of_token(token: &str) -> Option<String> {
    let mut parts = token.splitn(3, ':');
    let is_whole = (0..3).all(|_| parts.next().is_some_and(|part| !part.is_empty()));
    let told = || shortened(token.to_owned(), LONGEST_TOLD);
    let form = || format!("the token `{}`, which isn't of the form `package:module:name`", told());
    flaw_of_name(token).or_else(|| (!is_whole).then(form))
}

/// Whether an id is so long that it can't be told, whatever the failure.
pub(crate) fn is_too_long(id: &str) -> bool {
    id.len() > LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_opaque_but_for_what_would_break_a_line_or_a_header() {
        for id in ["1", "a b", "ö/☃|,;:", "{\"a\":1}", "\u{5d0}\u{200f}", &"x".repeat(LONGEST)] {
            assert_eq!(flaw(id), None, "{id}");
        }
        for id in ["\0", "a\nb", "a\r", "\u{1b}[2J", "\u{85}", "a\u{202e}b", "\u{2068}", "\u{2028}"] {
            assert_eq!(flaw(id).as_deref(), Some("an id with control characters"), "{id:?}");
        }
        let unknown = flaw(bulkhead_value::signature::UNKNOWN).unwrap();
        assert_eq!(unknown, "an id that stands for a value that isn't known");
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(flaw(&long).unwrap(), "an id of 65537 bytes, and 65536 are the most");
        assert!(leads_nowhere(&long) && leads_nowhere(bulkhead_value::signature::UNKNOWN));
        assert!(!leads_nowhere("a\nb"), "it is the one that the resource has");
    }
}
