//! The name that a misspelt one was meant to be.

use strsim::osa_distance;

/// Names longer than this aren't compared: the comparison takes the product of both lengths.
const READABLE: usize = 200;

/// The product of both lengths, for all candidates together, after which there is no use in going on: of thousands of names as long as names are
/// some are compared with each unknown one, and there may be a thousand of those.
const MOST_WORK: usize = 4_000_000;

/// The candidate nearest to a name, if one is near enough to have been meant: at most a third of the characters are
/// different, or the names differ only in case and punctuation. The first of several equally near ones.
pub(crate) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > READABLE {
        return None;
    }
    let (wanted, length) = (letters(name), name.chars().count());
    let furthest = length.max(3) / 3;
    let mut best: Option<(usize, &str)> = None;
    let mut left = MOST_WORK;
    for candidate in candidates.into_iter().filter(|candidate| candidate.len() <= READABLE) {
        // Names differ by their lengths at least.
        let is_close = candidate.chars().count().abs_diff(length) <= furthest;
        let work = if is_close { name.len().saturating_mul(candidate.len()) } else { 1 };
        left = left.checked_sub(work)?;
        let distance = match wanted == letters(candidate) {
            true => 0,
            false if is_close => osa_distance(name, candidate),
            false => continue,
        };
        let near = distance <= furthest;
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
    fn among_very_many_long_names_none_is_looked_for_to_the_end() {
        let many = |count: usize| (0..count).map(|number| format!("{number:0>150}")).chain(["x".repeat(149)]);
        for (count, expected) in [(100, Some("x".repeat(149))), (1_000, None)] {
            let names: Vec<String> = many(count).collect();
            let found = nearest(&"x".repeat(150), names.iter().map(String::as_str));
            assert_eq!(found.map(str::to_owned), expected, "{count}");
        }
    }

    #[test]
    fn endless_names_are_not_compared() {
        assert_eq!(nearest(&"a".repeat(100_000), ["a"]), None);
    }
}
