//! Secrets that are looked for at once, in all of their spellings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::encodings::spellings;
use super::names::Names;
use super::patterns::{Place, add};
use super::room::{Room, Taken};

/// Secrets of this many bytes aren't part of a longer text by chance.
const TELLING_WITHIN: usize = 16;
/// Lines of a secret of several lines that are looked for on their own have at least so many bytes.
const TELLING_LINE: usize = 16;
/// A longer secret is looked for in pieces of this size, so that most of it is found in a text that was cut. A multiple of 3,
/// so that their base64 is that of the whole.
pub(super) const PIECE: usize = 1_023;

/// Secrets, and what finds them.
pub(super) struct Sought {
    secrets: BTreeSet<String>,
    /// Whether they are looked for in other spellings than their own.
    spelt: bool,
    automaton: AhoCorasick,
    /// Of each pattern, whether it is telling within a longer value.
    within: Vec<bool>,
    longest: usize,
    /// What is looked for in names, once there is one.
    names: OnceLock<Names>,
    _taken: Taken,
}

impl Sought {
    /// Prepares a search for secrets. They come back if there is no room for it.
    pub(super) fn of(secrets: BTreeSet<String>, spelt: bool, room: &Room) -> Result<Self, BTreeSet<String>> {
        let mut patterns: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
        for part in secrets.iter().flat_map(|secret| parts(secret)) {
            let spellings = if spelt { spellings(part) } else { Vec::new() };
            for pattern in spellings.into_iter().chain([part.as_bytes().to_vec()]) {
                // It may be another one's, too.
                *patterns.entry(pattern).or_default() |= part.len() >= TELLING_WITHIN;
            }
        }
        let (patterns, within): (Vec<Vec<u8>>, Vec<bool>) = patterns.into_iter().unzip();
        let longest = patterns.iter().map(Vec::len).max().unwrap_or_default();
        // The fastest kind takes memory by the square.
        let Ok(automaton) = AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(patterns) else {
            return Err(secrets);
        };
        // What finds them in names takes about as much once more.
        let Some(taken) = room.take(automaton.memory_usage().saturating_mul(if spelt { 2 } else { 1 })) else {
            return Err(secrets);
        };
        Ok(Self { secrets, spelt, automaton, within, longest, names: OnceLock::new(), _taken: taken })
    }

    pub(super) fn secrets(&self) -> &BTreeSet<String> {
        &self.secrets
    }

    pub(super) fn is_spelt(&self) -> bool {
        self.spelt
    }

    /// Bytes of the longest that is looked for.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// The same secrets, to be found in names.
    pub(super) fn names(&self) -> &Names {
        let names = if self.spelt { Names::of } else { Names::unsought };
        self.names.get_or_init(|| names(&self.secrets))
    }

    /// Where they are in a text. None if there are more than places for them.
    pub(super) fn places(&self, text: &[u8]) -> Option<Vec<Place>> {
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

    /// Whether a text is one of them, or has one in it that isn't there by chance.
    pub(super) fn is_repeated_by(&self, text: &[u8]) -> bool {
        let within =
            |found: aho_corasick::Match| self.within.get(found.pattern().as_usize()).is_some_and(|telling| *telling);
        let mut found = self.automaton.find_overlapping_iter(text).enumerate();
        let is_one = std::str::from_utf8(text)
            .is_ok_and(|text| self.secrets.contains(text) || self.secrets.contains(text.trim()));
        is_one || found.any(|(count, found)| count > text.len() || within(found))
    }
}

/// What of a secret is looked for: the whole, or its pieces; and its lines, since programs indent and quote them.
fn parts(secret: &str) -> Vec<&str> {
    let lines = secret.lines().filter(|_| secret.contains('\n')).map(str::trim);
    lines.filter(|line| line.len() >= TELLING_LINE).flat_map(pieces).chain(pieces(secret)).collect()
}

/// A text, in pieces if it is long. By itself the end may be too short to mean anything: then it is looked for with what is before it.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while rest.len() > PIECE {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        pieces.push(piece);
        rest = after;
    }
    if rest.len() < text.len() && rest.len() < TELLING_LINE {
        rest = text.split_at(text.floor_char_boundary(text.len().saturating_sub(TELLING_LINE))).1;
    }
    pieces.push(rest);
    pieces
}
