//! The name that a misspelt one was meant to be.

use strsim::osa_distance;

/// Names longer than this aren't compared: the comparison takes the product of both lengths.
const READABLE: usize = 200;

/// The candidate nearest to a name, if one is near enough to have been meant: at most a third of the characters are
/// different, or the names differ only in case and punctuation. The first of several equally near ones.
pub(crate) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > READABLE {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().filter(|candidate| candidate.len() <= READABLE) {
        let distance = if letters(name) == letters(candidate) { 0 } else { osa_distance(name, candidate) };
        let near = distance <= name.chars().count().max(3) / 3;
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// `min_length`, `minLength` and `min-length` are the same to whoever types them.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_misspelt_name_leads_to_the_one_that_was_meant() {
        for (name, expected) in [
            ("lenght", Some("length")),
            ("Length", Some("length")),
            ("min_lower", Some("minLower")),
            ("minLowr", Some("minLower")),
            ("colour", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, ["keepers", "length", "minLower"]), expected, "{name}");
        }
    }

    #[test]
    fn endless_names_are_not_compared() {
        assert_eq!(nearest(&"a".repeat(100_000), ["a"]), None);
    }
}
