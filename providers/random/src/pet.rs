//! Names that people can remember and say: adverbs, an adjective, an animal. The words are those of Ubuntu's petname
//! lists, all of lower-case letters.

use petname::Petnames;

use crate::draw::Draw;

/// A name of `words` words. Fewer than one are two, and there is no capital in what stands between them, as in the native provider.
pub fn name(words: i64, separator: &str, draw: &mut impl Draw) -> String {
    let petnames = Petnames::small();
    let adverbs = if words == 1 { 0 } else { words.saturating_sub(2) };
    let mut parts: Vec<&str> = (0..adverbs).filter_map(|_| draw.choose(&petnames.adverbs).copied()).collect();
    if words != 1 {
        parts.extend(draw.choose(&petnames.adjectives));
    }
    parts.extend(draw.choose(&petnames.nouns));
    parts.join(&lowered(separator))
}

/// A separator as it stands between words: each of its letters by itself in lower case, as Go has them. Of those that are several in
/// lower case Go takes the first: there is one, the `İ`.
pub fn lowered(separator: &str) -> String {
    separator.chars().filter_map(|letter| letter.to_lowercase().next()).collect()
}

/// How many bytes the longest word has.
pub fn longest_word() -> usize {
    let Petnames { adjectives, adverbs, nouns } = Petnames::small();
    [adjectives, adverbs, nouns].iter().flat_map(|words| words.iter()).map(|word| word.len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::Entropy;

    #[test]
    fn names_have_as_many_words_as_asked() {
        let mut entropy = Entropy::new().unwrap();
        for (words, expected) in [(1, 1), (2, 2), (3, 3), (300, 300), (0, 2), (-3, 2)] {
            let name = name(words, "-", &mut entropy);
            assert_eq!(name.split('-').count(), expected, "{words} words");
            assert!(name.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()), "{name}");
        }
    }

    #[test]
    fn the_last_word_is_the_animal() {
        let mut entropy = Entropy::new().unwrap();
        let animals = Petnames::small().nouns;
        for words in [1, 2, 4] {
            let name = name(words, " ", &mut entropy);
            assert!(animals.contains(&name.rsplit(' ').next().unwrap()), "{name}");
        }
    }

    /// As natively: what takes lower-case names only takes these.
    #[test]
    fn separators_are_lowered_as_words_are() {
        let mut entropy = Entropy::new().unwrap();
        for (separator, lowered) in [("_A_", "_a_"), ("É", "é"), ("ΑΣ", "ασ"), ("İ", "i"), ("\u{23a}", "\u{2c65}")]
        {
            let name = name(2, separator, &mut entropy);
            assert!(name.contains(lowered) && !name.contains(separator), "{separator}: {name}");
        }
    }

    #[test]
    fn words_may_stand_without_separator() {
        assert!(name(2, "", &mut Entropy::new().unwrap()).bytes().all(|byte| byte.is_ascii_lowercase()));
    }
}
