//! Secrets as they become known, made ready to be found when something is said.
//!
//! To make them ready takes a microsecond for each byte, and thousands of texts may be said by then. So it is done once: those of
//! the configuration serve every call of their session, and a component that is told more with each resource that it registers
//! looks for that beside what it looked for before.

use std::collections::BTreeSet;

use super::patterns::Patterns;
use super::room::Room;
use super::structured::credentials;

/// Shorter texts are equal by chance.
pub(super) const TELLING: usize = 8;
/// Bytes of secrets that are looked for in all spellings.
const MOST_SPELT: usize = 128 << 10;
/// Bytes of secrets that are looked for as they are.
pub(super) const MOST: usize = 1 << 20;

/// Secrets that become more.
#[derive(Default)]
pub(super) struct Gathered {
    /// Those that nobody has looked for yet, and how many bytes they have.
    fresh: BTreeSet<String>,
    unsought: usize,
    ready: Patterns,
    /// Of those that are ready.
    bytes: usize,
    /// Of those that are looked for in all spellings.
    spelt: usize,
    /// What they take when they are.
    room: Room,
}

impl Gathered {
    /// None so far, for which there is some room.
    pub(super) fn within(room: Room) -> Self {
        Self { room, ..Self::default() }
    }

    /// The room that there is for them.
    pub(super) fn room(&self) -> Room {
        self.room.clone()
    }

    /// Bytes of those that aren't ready yet.
    pub(super) fn unsought(&self) -> usize {
        self.unsought
    }

    /// Adds some. What is blank around them is no part of them: files end in a line break, and programs leave it out of what they read
    /// there.
    pub(super) fn add(&mut self, secrets: impl IntoIterator<Item = String>) {
        for secret in secrets.into_iter().map(trimmed) {
            let bytes = secret.len();
            if !self.ready.have(&secret) && self.fresh.insert(secret) {
                self.unsought = self.unsought.saturating_add(bytes);
            }
            // Whoever is told without end and says nothing would have all of it kept. Some of it may be known to others.
            if self.unsought > MOST * 4 {
                self.fresh.clear();
                (self.unsought, self.bytes, self.ready) = (0, usize::MAX, Patterns::too_many());
            }
        }
    }

    /// What finds them, and what is secret in them by itself, but for those that others find. What stands within a secret isn't counted
    /// beside it: all of that has two times as many bytes at most.
    pub(super) fn ready(&mut self, others: &Patterns) -> Patterns {
        self.fresh.retain(|secret| !others.have(secret));
        self.unsought = 0;
        if !self.fresh.is_empty() {
            let fresh = std::mem::take(&mut self.fresh);
            self.bytes = fresh.iter().map(String::len).fold(self.bytes, usize::saturating_add);
            if self.bytes > MOST {
                self.ready = Patterns::too_many();
            } else {
                let within = fresh.iter().flat_map(|secret| credentials(secret));
                let within = within.filter(|part| part.len() >= TELLING).map(trimmed);
                let within: Vec<String> = within.filter(|part| !others.have(part) && !self.ready.have(part)).collect();
                let (spelt, as_they_are) = self.shortest(fresh.into_iter().chain(within).collect());
                self.ready.add(spelt, true, &self.room);
                self.ready.add(as_they_are, false, &self.room);
            }
        }
        self.ready.clone()
    }

    /// Those that are still looked for in all spellings, and the others. The shortest come first: a file among them doesn't take along
    /// the tokens beside it, and what is left out is longer than most names.
    fn shortest(&mut self, secrets: BTreeSet<String>) -> (BTreeSet<String>, BTreeSet<String>) {
        let mut by_length = Vec::from_iter(secrets);
        by_length.sort_by_key(String::len);
        by_length.into_iter().partition(|secret| {
            let bytes = self.spelt.saturating_add(secret.len());
            let are_spelt = bytes <= MOST_SPELT;
            if are_spelt {
                self.spelt = bytes;
            }
            are_spelt
        })
    }
}

/// A secret without what is blank around it, unless that leaves too little.
fn trimmed(secret: String) -> String {
    match secret.trim() {
        telling if telling.len() >= TELLING && telling.len() < secret.len() => telling.to_owned(),
        _ => secret,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_hear_what_is_known_already_again_and_again_is_no_secret_more() {
        let secret = "x".repeat(50_000);
        let mut others = Gathered::default();
        others.add([secret.clone()]);
        let others = others.ready(&Patterns::default());
        let mut gathered = Gathered::default();
        for _ in 0..200 {
            gathered.add([secret.clone()]);
            assert_eq!(gathered.ready(&others).masked("whatever".to_owned()), "whatever");
        }
    }

    #[test]
    fn what_is_secret_within_a_large_secret_is_looked_for_and_not_counted_beside_it() {
        let token: String = (0..75_000).map(|number| format!("{number:08}")).collect();
        let mut gathered = Gathered::default();
        gathered.add([format!(r#"{{"account": "a-robot", "token": "{token}"}}"#)]);
        let ready = gathered.ready(&Patterns::default());
        assert_eq!(ready.masked("as a-robot".to_owned()), "as a-robot");
        assert!(!ready.are_repeated_by("as a-robot") && ready.are_repeated_by(&token));
        let begin = token.get(..1_023).unwrap_or_default();
        assert_eq!(ready.masked(format!("with {begin}")), "with [secret]");
        gathered.add(["x".repeat(MOST / 2)]);
        assert!(
            gathered.ready(&Patterns::default()).are_repeated_by("as a-robot"),
            "those that come beside it are counted"
        );
    }

    #[test]
    fn who_is_told_secrets_without_end_and_says_nothing_has_few_of_them_kept() {
        let mut gathered = Gathered::default();
        for number in 0..200 {
            gathered.add([format!("{number:050000}")]);
            assert!(gathered.fresh.iter().map(String::len).sum::<usize>() <= MOST * 4);
        }
        let said = gathered.ready(&Patterns::default()).masked("whatever".to_owned());
        assert!(!said.contains("whatever"), "it may be one of them");
    }
}
