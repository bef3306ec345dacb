//! What is looked for in texts, and how it is masked.
//!
//! All spellings of all secrets are looked for at once. A user decides how much that is, so it has bounds, beyond which nothing is
//! shown at all: a text that can't be searched may hold anything.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::encodings::spellings;
use super::escapes;
use super::names::Names;
use crate::provider::shortened;

/// What stands where a secret stood.
pub(super) const MASK: &str = "[secret]";
/// What is said instead of a text that can't be searched.
const WITHHELD: &str = "[secret: the request holds more secrets than can be looked for in what the provider says]";
/// What is said instead of a text that takes too long to search.
pub(super) const TOO_MUCH: &str = "[secret: more is said than can be searched for the request's secrets]";
/// Shorter texts are equal by chance.
const TELLING: usize = 8;
/// Secrets of this many bytes aren't part of a longer text by chance.
const TELLING_WITHIN: usize = 16;
/// Lines of a secret of several lines that are looked for on their own have at least so many bytes.
const TELLING_LINE: usize = 16;
/// A longer secret is looked for in pieces of this size, so that most of it is found in a text that was cut. A multiple of 3,
/// so that their base64 is that of the whole.
const PIECE: usize = 1_023;
/// Bytes of secrets that are looked for in all spellings.
const MOST_SPELT: usize = 128 << 10;
/// Bytes of secrets that are looked for as they are.
const MOST: usize = 1 << 20;
/// Bytes of a text that are searched, and shown.
pub(super) const LONGEST_TEXT: usize = 256 << 10;

/// Secrets, ready to be found.
pub(super) enum Patterns {
    /// Nothing is secret.
    Nothing,
    /// What is looked for.
    Known(Known),
    /// More than can be looked for.
    TooMany,
}

/// What is looked for.
pub(super) struct Known {
    secrets: BTreeSet<String>,
    automaton: AhoCorasick,
    /// Of each pattern, whether it is telling within a longer value.
    within: Vec<bool>,
    longest: usize,
    /// What is looked for in names, once there is one.
    names: OnceLock<Names>,
}

impl Patterns {
    /// Prepares a search for secrets. What is blank around them is no part of them: files end in a line break, and programs leave it
    /// out of what they read there.
    pub(super) fn of(secrets: BTreeSet<String>) -> Self {
        let secrets: BTreeSet<String> = secrets.into_iter().map(trimmed).collect();
        let total: usize = secrets.iter().map(String::len).sum();
        if secrets.is_empty() {
            return Self::Nothing;
        }
        if total > MOST {
            return Self::TooMany;
        }
        let mut patterns: Vec<(Vec<u8>, bool)> = Vec::new();
        for secret in &secrets {
            for part in parts(secret) {
                let within = part.len() >= TELLING_WITHIN;
                if total <= MOST_SPELT {
                    patterns.extend(spellings(part).into_iter().map(|spelling| (spelling, within)));
                }
                patterns.push((part.as_bytes().to_vec(), within));
            }
        }
        patterns.sort_unstable();
        patterns.dedup_by(|one, other| one.0 == other.0);
        let longest = patterns.iter().map(|(pattern, _)| pattern.len()).max().unwrap_or_default();
        let mut builder = AhoCorasick::builder();
        // The fastest kind takes memory by the square.
        let automaton = builder.kind(Some(AhoCorasickKind::ContiguousNFA)).build(patterns.iter().map(|(it, _)| it));
        match automaton {
            Ok(automaton) => {
                let within = patterns.iter().map(|(_, within)| *within).collect();
                Self::Known(Known { secrets, automaton, within, longest, names: OnceLock::new() })
            }
            Err(_) => Self::TooMany,
        }
    }

    /// A text with every secret in it masked.
    pub(super) fn masked(&self, text: String) -> String {
        match self {
            Self::Nothing => text,
            Self::Known(known) => known.masked(text),
            Self::TooMany if text.is_empty() => text,
            Self::TooMany => WITHHELD.to_owned(),
        }
    }

    /// A name that was made up, with every secret in it masked.
    pub(super) fn masked_name(&self, name: String) -> String {
        match self {
            Self::Known(known) => {
                let spelt = known.secrets.iter().map(String::len).sum::<usize>() <= MOST_SPELT;
                let none = BTreeSet::new();
                let names = known.names.get_or_init(|| Names::of(if spelt { &known.secrets } else { &none }));
                names.masked(known.masked(name))
            }
            _ => self.masked(name),
        }
    }

    /// Whether a text is a secret, or has one in it that isn't there by chance, as it is or in one of its readings.
    pub(super) fn are_repeated_by(&self, text: &str) -> bool {
        self.are_listed_in(text) || matches!(self, Self::Known(known) if known.are_read_in(text))
    }

    /// The same in the spellings that are listed alone, which takes less.
    pub(super) fn are_listed_in(&self, text: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::Known(known) => known.are_repeated_by(text.as_bytes()),
            Self::TooMany => true,
        }
    }
}

impl Known {
    fn masked(&self, text: String) -> String {
        // What is left of a secret behind the cut isn't found, so what is shown ends before that.
        let end = text.floor_char_boundary(LONGEST_TEXT);
        let beyond = self.longest.saturating_mul(escapes::LONGEST);
        let searched = text.get(..text.floor_char_boundary(end.saturating_add(beyond))).unwrap_or(&text);
        let Some(places) = self.places(searched) else { return TOO_MUCH.to_owned() };
        if places.is_empty() {
            return shortened(text, LONGEST_TEXT / 4);
        }
        let mut masked = String::with_capacity(end);
        let mut shown = 0;
        for (from, to) in places.into_iter().filter(|(from, _)| *from < end) {
            masked.push_str(text.get(shown..from).unwrap_or_default());
            masked.push_str(MASK);
            shown = to;
        }
        masked.push_str(text.get(shown..end).unwrap_or_default());
        if end < text.len() {
            masked.push_str(&format!(" … ({} bytes in all)", text.len()));
        }
        masked
    }

    /// Where secrets are, in order, apart from each other. None if there are more than places for them: secrets that hold each other
    /// end a thousand times at each.
    fn places(&self, text: &str) -> Option<Vec<(usize, usize)>> {
        let mut all = self.found(text.as_bytes())?;
        for reading in escapes::readings(text) {
            all.extend(self.found(&reading.text)?.into_iter().map(|place| reading.place(place)));
        }
        all.sort_unstable();
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(all.len());
        for (from, to) in all {
            add(&mut places, (text.floor_char_boundary(from), text.ceil_char_boundary(to)));
        }
        Some(places)
    }

    /// Where they are in one reading of it.
    fn found(&self, text: &[u8]) -> Option<Vec<(usize, usize)>> {
        let mut places = Vec::new();
        // Those that overlap all count: what is left of one beside another is a part of a secret too.
        for (count, found) in self.automaton.find_overlapping_iter(text).enumerate() {
            if count > text.len() {
                return None;
            }
            add(&mut places, (found.start(), found.end()));
        }
        Some(places)
    }

    fn are_repeated_by(&self, text: &[u8]) -> bool {
        let within =
            |found: aho_corasick::Match| self.within.get(found.pattern().as_usize()).is_some_and(|telling| *telling);
        let mut found = self.automaton.find_overlapping_iter(text).enumerate();
        let is_one = std::str::from_utf8(text)
            .is_ok_and(|text| self.secrets.contains(text) || self.secrets.contains(text.trim()));
        is_one || found.any(|(count, found)| count > text.len() || within(found))
    }

    fn are_read_in(&self, text: &str) -> bool {
        escapes::readings(text).iter().any(|reading| self.are_repeated_by(&reading.text))
    }
}

/// Adds a place to others, each of which ends before the next begins. It begins wherever, and ends behind all of them.
fn add(places: &mut Vec<(usize, usize)>, mut place: (usize, usize)) {
    while let Some(last) = places.pop_if(|last| place.0 <= last.1) {
        place = (place.0.min(last.0), place.1.max(last.1));
    }
    places.push(place);
}

/// A secret without what is blank around it, unless that leaves too little.
fn trimmed(secret: String) -> String {
    match secret.trim() {
        telling if telling.len() >= TELLING && telling.len() < secret.len() => telling.to_owned(),
        _ => secret,
    }
}

/// What of a secret is looked for: the whole, or its pieces; and its lines, since programs indent and quote them.
fn parts(secret: &str) -> Vec<&str> {
    let lines = secret.lines().filter(|_| secret.contains('\n')).map(str::trim);
    let mut parts: Vec<&str> = lines.filter(|line| line.len() >= TELLING_LINE && line.len() <= PIECE).collect();
    let mut rest = secret;
    while rest.len() > PIECE {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        parts.push(piece);
        rest = after;
    }
    // The end of a long one may be too short to mean anything.
    if rest.len() == secret.len() || rest.len() >= TELLING_LINE {
        parts.push(rest);
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn patterns<const N: usize>(secrets: [&str; N]) -> Patterns {
        Patterns::of(secrets.into_iter().map(str::to_owned).collect())
    }

    fn masked<const N: usize>(secrets: [&str; N], text: &str) -> String {
        patterns(secrets).masked(text.to_owned())
    }

    #[test]
    fn secrets_are_masked_wherever_they_stand() {
        assert_eq!(masked(["hunter2-hunter2"], "it is hunter2-hunter2."), "it is [secret].");
        assert_eq!(masked(["hunter2-hunter2"], "it is hunter2"), "it is hunter2");
        assert_eq!(masked(["password-1", "password-2"], "password-1password-2 password-3"), "[secret] password-3");
        assert_eq!(masked([], "nothing is secret"), "nothing is secret");
        // Unpadded, and in the middle of a header.
        assert_eq!(masked(["correct horse"], "Basic dXNlcjpjb3JyZWN0IGhvcnNl"), "Basic dXNlcjp[secret]");
        assert_eq!(masked(["a\"quoted\"one"], r#"{"x":"a\"quoted\"one"}"#), r#"{"x":"[secret]"}"#);
    }

    #[test]
    fn what_overlaps_is_masked_as_a_whole() {
        assert_eq!(masked(["abcdefgh", "efghijklmnop"], "<abcdefghijklmnop>"), "<[secret]>");
        assert_eq!(masked(["abcdefghijklmnop", "ghijklmn"], "<abcdefghijklmnop> <ghijklmn>"), "<[secret]> <[secret]>");
    }

    #[test]
    fn lines_of_a_secret_are_masked_and_so_are_pieces_of_a_long_one() {
        let key = "-----BEGIN KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ\n-----END KEY-----\n";
        assert_eq!(masked([key], "at line 2: `MC4CAQAwBQYDK2VwBCIEIJ`"), "at line 2: `[secret]`");
        let long: String = (0..1_000).map(|number| format!("{number:04}")).collect();
        assert_eq!(masked([long.as_str()], &format!("<{long}>")), "<[secret]>");
        let cut = long.get(..2_500).unwrap_or_default();
        assert_eq!(masked([long.as_str()], cut).len(), "[secret]".len() + 2_500 - 2 * PIECE);
    }

    #[test]
    fn a_long_text_ends_before_a_secret_that_it_cuts() {
        let secret = "s".repeat(1_000);
        for before in [LONGEST_TEXT - 1, LONGEST_TEXT - 500, LONGEST_TEXT - 1_000, LONGEST_TEXT] {
            let text = format!("{}{secret}{}", "x".repeat(before), "y".repeat(LONGEST_TEXT));
            let shown = masked([secret.as_str()], &text);
            assert_eq!((shown.contains("[secret]"), shown.contains("ss")), (before < LONGEST_TEXT, false), "{before}");
            assert!(shown.len() < LONGEST_TEXT + 100);
            assert!(shown.ends_with(" bytes in all)"), "{before}");
        }
    }

    #[test]
    fn what_cannot_be_searched_is_not_shown() {
        let large = "x".repeat(MOST + 1);
        assert_eq!(masked([large.as_str()], "anything"), WITHHELD);
        assert!(patterns([large.as_str()]).are_repeated_by("anything"));
        assert_eq!(masked([large.as_str()], ""), "");
    }

    #[test]
    fn secrets_that_hold_each_other_are_not_counted_for_ever() {
        let secrets: Vec<String> = (8..400).map(|length| "a".repeat(length)).collect();
        let patterns = Patterns::of(secrets.iter().cloned().collect());
        assert_eq!(patterns.masked("a".repeat(LONGEST_TEXT)), TOO_MUCH);
        assert_eq!(patterns.masked_name(format!("{}.example", "a.".repeat(10_000))), TOO_MUCH);
        assert!(patterns.are_repeated_by(&"a".repeat(LONGEST_TEXT)));
        assert_eq!(patterns.masked(format!("<{}>", "a".repeat(8))), "<[secret]>");
    }

    /// Each as some library does it, all of which leave something else as it is.
    #[test]
    fn secrets_are_masked_however_much_of_them_is_escaped() {
        for escaped in [
            "https://u:a+b%2Fc-d&e%3D%3D@h/",
            "https://h/a+b%2Fc-d&e==",
            "https://h/?k=a%2Bb%2Fc%2Dd%26e%3D%3D",
            r#"{"k":"a+b/c-d\u0026e=="}"#,
            r#"{"k":"a+b\/c-d&e=="}"#,
            r#""{\"k\":\"a+b\\/c-d\\u0026e\u003d=\"}""#,
            "<k>a+b/c-d&amp;e==</k>",
            "<k>a&#43;b/c-d&#x26;e==</k>",
            r"'a+b/c-d\&e=='",
            r#"{"url":"https:\/\/h\/?k=a%2Bb%2Fc-d%26e%3D%3D"}"#,
        ] {
            let masked = masked(["a+b/c-d&e=="], escaped);
            assert!(masked.contains("[secret]") && !masked.contains("-d"), "{escaped}: {masked}");
        }
        assert_eq!(masked(["a+b/c-d&e=="], "at 100%: a+b%2fc-d%26e==, é"), "at 100%: [secret], é");
        assert_eq!(masked(["p\u{e4}ssw\u{f6}rter"], r"it is p\u00e4ssw\xc3\xb6rter."), "it is [secret].");
        assert!(patterns(["a+b/c-d&e=="]).are_repeated_by("a+b%2Fc-d&e=="), "which is the same");
        assert!(!patterns(["a+b/c-d&e=="]).are_repeated_by("https://h/a+b%2Fc-d&e=="), "which may be chance");
        assert!(patterns(["a+b/c-d&e==/long"]).are_repeated_by("https://h/a+b%2Fc-d&e==%2Flong"));
    }

    #[test]
    fn what_is_blank_around_a_secret_is_no_part_of_it() {
        let known = patterns(["hunter2-hunter\n", "\t short \n"]);
        assert_eq!(known.masked("it is hunter2-hunter.".to_owned()), "it is [secret].");
        assert_eq!(known.masked("it is hunter2-hunter\n.".to_owned()), "it is [secret]\n.");
        assert_eq!(known.masked("Basic dTpodW50ZXIyLWh1bnRlcgo=".to_owned()), "Basic dTp[secret]go=");
        assert!(known.are_repeated_by("hunter2-hunter") && known.are_repeated_by(" hunter2-hunter\r\n"));
        assert_eq!(known.masked("a short one".to_owned()), "a short one", "there is too little left of it");
    }

    #[test]
    fn short_secrets_are_equal_and_long_ones_are_within() {
        let known = patterns(["short-secret", "a-secret-long-enough"]);
        for (text, repeats) in [
            ("short-secret", true),
            ("arn:short-secret", false),
            ("a-secret-long-enough", true),
            ("postgres://u:a-secret-long-enough@h", true),
            ("YS1zZWNyZXQtbG9uZy1lbm91Z2g=", true),
            ("a-secret-long", false),
        ] {
            assert_eq!(known.are_repeated_by(text), repeats, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_secret_is_left_of_a_text(
            secrets in proptest::collection::btree_set("[ab]{8,12}", 1..5),
            text in "[ab ]{0,200}",
        ) {
            let masked = Patterns::of(secrets.clone()).masked(text.clone());
            for secret in &secrets {
                prop_assert!(!masked.contains(secret.as_str()), "{} in {} of {}", secret, masked, text);
            }
            if secrets.iter().all(|secret| !text.contains(secret.as_str())) {
                prop_assert_eq!(masked, text);
            }
        }
    }
}
