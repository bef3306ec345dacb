//! Names that a guest makes up for what it wants to reach, with secrets masked.
//!
//! What is denied is named where the denial is read and recorded, and a guest chooses the name: a host that nobody knows, a method, a
//! path. Names change what they are made of. Hosts lose their case, labels end after 63 characters, and what is neither letter
//! nor digit is dropped, replaced or put between. So in names a secret is looked for by its letters and digits alone.

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::encodings::{base32, spellings};
use super::patterns::{Place, add};

/// Letters and digits that aren't in a name by chance.
const TELLING: usize = 8;

/// Secrets, ready to be found in names.
pub(super) struct Names {
    sought: Option<AhoCorasick>,
    /// Letters and digits of the shortest that isn't looked for.
    unsought: Option<usize>,
}

impl Names {
    /// Prepares a search for secrets.
    pub(super) fn of(secrets: &BTreeSet<String>) -> Self {
        let mut patterns = BTreeSet::new();
        for secret in secrets {
            let spelt = spellings(secret).into_iter().chain(base32(secret)).chain([secret.clone().into_bytes()]);
            patterns.extend(spelt.map(|spelling| folded(&spelling).0).filter(|folded| folded.len() >= TELLING));
        }
        if patterns.is_empty() {
            return Self { sought: None, unsought: None };
        }
        let sought = AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(patterns).ok();
        let unsought = sought.is_none().then_some(TELLING);
        Self { sought, unsought }
    }

    /// Looks for none of these, of which there is too much: but a name that is shorter than all of them spells none.
    pub(super) fn unsought(secrets: &BTreeSet<String>) -> Self {
        let unsought = secrets.iter().filter_map(|secret| fewest(secret)).min();
        Self { sought: None, unsought }
    }

    /// Whether a name may spell a secret that isn't looked for.
    pub(super) fn may_be_in(&self, name: &str) -> bool {
        self.unsought.is_some_and(|fewest| letters(name.as_bytes()) >= fewest)
    }

    /// Where they are in a name. None if there are more than places for them.
    pub(super) fn places(&self, name: &str) -> Option<Vec<Place>> {
        let Some(automaton) = &self.sought else { return Some(Vec::new()) };
        let (folded, at) = folded(name.as_bytes());
        let at = |place: usize| at.get(place).copied().unwrap_or_default();
        let mut places = Vec::new();
        for (count, found) in automaton.find_overlapping_iter(&folded).enumerate() {
            if count > folded.len() {
                return None;
            }
            add(&mut places, (at(found.start()), at(found.end().saturating_sub(1)).saturating_add(1)));
        }
        Some(places)
    }
}

/// The letters and digits of a name that spells a secret, at the least. No spelling has fewer than the secret itself, unless those are too
/// few to be looked for. None if all are.
fn fewest(secret: &str) -> Option<usize> {
    match letters(secret.as_bytes()) {
        few if few < TELLING => {
            let spelt = spellings(secret).into_iter().map(|spelling| letters(&spelling));
            spelt.filter(|letters| *letters >= TELLING).min()
        }
        enough => Some(enough),
    }
}

fn letters(text: &[u8]) -> usize {
    text.iter().filter(|byte| byte.is_ascii_alphanumeric()).count()
}

/// The letters and digits of a text in lower case, and where in it each stands.
fn folded(text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let told = text.iter().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric());
    told.map(|(at, byte)| (byte.to_ascii_lowercase(), at)).unzip()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::patterns::mask;
    use super::*;

    const SECRET: &str = "Correct-Horse/1";

    fn masked(secret: &str, name: &str) -> String {
        mask(name, name.len(), Names::of(&BTreeSet::from([secret.to_owned()])).places(name).unwrap())
    }

    #[test]
    fn a_secret_is_found_however_a_name_spells_it() {
        for spelt in [
            "Correct-Horse/1",
            "correct-horse-1",
            "CORRECTHORSE1",
            "correct.horse.1",
            "c-o-r-r-e-c-t-h-o-r-s-e-1",
            "correct-horse%2F1",
            "436f72726563742d486f7273652f31",
            "436F72726563742D.486F7273652F31",
            "q29ycmvjdc1ib3jzzs8x",
            "Q29ycmVjdC1Ib3JzZS8x",
            "inxxe4tfmn2c2sdpojzwklzr",
            "436f:7272:6563:742d:486f:7273:652f:31",
        ] {
            let name = format!("http://{spelt}.evil.example (GET)");
            assert_eq!(masked(SECRET, &name), "http://[secret].evil.example (GET)", "{spelt}");
        }
    }

    #[test]
    fn other_names_are_left_alone() {
        for name in ["tcp://db.example.com:5432", "correct-house-1", "Correct-Hors", ""] {
            assert_eq!(masked(SECRET, name), name);
        }
        assert_eq!(masked("short-1", "short-1.example"), "short-1.example", "it may be there by chance");
        assert_eq!(masked("-/-/-/-/-", "-/-/-/-/-"), "-/-/-/-/-", "nothing of it is left to be found by");
    }

    #[test]
    fn what_overlaps_is_masked_once() {
        let secrets = ["abcdefghij", "cdefghijkl", "cdefghij"].map(str::to_owned);
        let names = Names::of(&BTreeSet::from(secrets));
        let masked = |name: &str| mask(name, name.len(), names.places(name).unwrap());
        assert_eq!(masked("x.abcd.efgh.ijkl.y"), "x.[secret].y");
        assert_eq!(masked("abcdefghij.cdefghijkl"), "[secret].[secret]");
    }

    proptest! {
        #[test]
        fn no_name_that_spells_a_secret_has_fewer_letters_than_is_said(secret in "[a-zA-Z0-9]{0,9}\\PC{8,40}") {
            let spelt = spellings(&secret).into_iter().chain(base32(&secret)).chain([secret.clone().into_bytes()]);
            let shortest = spelt.map(|spelling| letters(&spelling)).filter(|letters| *letters >= TELLING).min();
            let shortest = shortest.unwrap_or(usize::MAX);
            let said = fewest(&secret).unwrap_or(usize::MAX);
            prop_assert!(said <= shortest, "{said} and {shortest}");
        }

        #[test]
        fn a_name_is_cut_between_characters(secret in "[a-zA-Zäö-]{8,20}", before in "\\PC{0,9}", after in "\\PC{0,9}") {
            let name = format!("{before}{}{after}", secret.to_uppercase());
            let folds = secret.bytes().filter(u8::is_ascii_alphanumeric).count() >= TELLING;
            prop_assert_eq!(masked(&secret, &name) != name, folds);
        }
    }
}
