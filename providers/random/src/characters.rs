//! Strings and passwords are made alike: so many characters of each kind at least, the others of any kind that is
//! allowed, all in an order that tells nothing about which is which.

use crate::draw::Draw;

/// Upper-case letters.
pub const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Lower-case letters.
pub const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
/// Digits.
pub const DIGITS: &str = "0123456789";
/// The special characters that are used unless the user gives others.
pub const SPECIAL: &str = "!@#$%&*()-_=+[]{}<>:?";

/// What is wanted of one kind of character.
#[derive(Debug, Clone, Copy)]
pub struct Kind<'a> {
    /// The characters; one that occurs twice is twice as likely.
    pub characters: &'a str,
    /// Whether characters beyond the least number may be of this kind.
    pub allowed: bool,
    /// The least number of characters of this kind, also if no others are allowed.
    pub least: usize,
}

/// Why no string can be made.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CharactersError {
    /// No kind is allowed.
    #[error("at least one kind of character must be allowed")]
    NothingAllowed,
    /// The kinds' least numbers don't fit.
    #[error("{length} characters are too few for the least numbers of each kind, {least} in all")]
    TooShort {
        /// The string's length, in characters.
        length: usize,
        /// The least numbers' sum.
        least: usize,
    },
}

/// A string of `length` characters.
pub fn string(length: usize, kinds: &[Kind<'_>], draw: &mut impl Draw) -> Result<String, CharactersError> {
    let least = kinds.iter().fold(0_usize, |sum, kind| sum.saturating_add(kind.least));
    let Some(others) = length.checked_sub(least) else {
        return Err(CharactersError::TooShort { length, least });
    };
    let allowed: Vec<char> =
        kinds.iter().filter(|kind| kind.allowed).flat_map(|kind| kind.characters.chars()).collect();
    if allowed.is_empty() {
        return Err(CharactersError::NothingAllowed);
    }

    let mut drawn: Vec<char> = Vec::with_capacity(length);
    for kind in kinds {
        let characters: Vec<char> = kind.characters.chars().collect();
        drawn.extend((0..kind.least).filter_map(|_| draw.choose(&characters)));
    }
    drawn.extend((0..others).filter_map(|_| draw.choose(&allowed)));

    Ok(draw.permutation(drawn.len()).into_iter().filter_map(|place| drawn.get(place)).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::entropy::Entropy;

    fn kind(characters: &str, allowed: bool, least: usize) -> Kind<'_> {
        Kind { characters, allowed, least }
    }

    fn count(text: &str, characters: &str) -> usize {
        text.chars().filter(|character| characters.contains(*character)).count()
    }

    proptest! {
        #[test]
        fn strings_are_as_long_as_asked_and_hold_what_must_be_in_them(
            allowed in any::<[bool; 4]>(), least in any::<[u8; 4]>(), others in 0_usize..200,
        ) {
            prop_assume!(allowed.contains(&true));
            let least = least.map(usize::from);
            let names = [UPPER, LOWER, DIGITS, SPECIAL];
            let kinds: Vec<Kind<'_>> = (0..4).map(|kind| super::tests::kind(names[kind], allowed[kind], least[kind])).collect();
            let length = least.iter().sum::<usize>() + others;

            let text = string(length, &kinds, &mut Entropy::new().unwrap()).unwrap();

            prop_assert_eq!(text.chars().count(), length);
            for kind in kinds {
                let found = count(&text, kind.characters);
                prop_assert!(found >= kind.least);
                prop_assert!(kind.allowed || found == kind.least);
            }
        }
    }

    #[test]
    fn characters_of_several_bytes_count_once() {
        let text = string(8, &[kind("°é", true, 3)], &mut Entropy::new().unwrap()).unwrap();
        assert_eq!(text.chars().count(), 8);
    }

    #[test]
    fn the_least_characters_may_be_anywhere() {
        let kinds = [kind(UPPER, false, 1), kind(LOWER, true, 0)];
        let mut places = [false; 4];
        for _ in 0..400 {
            let text = string(4, &kinds, &mut Entropy::new().unwrap()).unwrap();
            places[text.find(|character: char| character.is_ascii_uppercase()).unwrap()] = true;
        }
        assert_eq!(places, [true; 4]);
    }

    #[test]
    fn what_cannot_be_made_is_told() {
        let mut entropy = Entropy::new().unwrap();
        let short = string(3, &[kind(UPPER, true, 2), kind(LOWER, true, 2)], &mut entropy).unwrap_err();
        assert_eq!(short.to_string(), "3 characters are too few for the least numbers of each kind, 4 in all");
        let nothing = string(3, &[kind(UPPER, false, 3)], &mut entropy).unwrap_err();
        assert_eq!(nothing.to_string(), "at least one kind of character must be allowed");
    }
}
