//! Strings.

use super::{draw::Draw, pattern};
use crate::model::Validation;

/// How long a string is that may be of any length.
const USUAL: usize = 8;
/// Longer strings aren't made.
const LONGEST: usize = 1 << 16;

/// A string that satisfies these rules, as far as one can be found.
pub(super) fn text(rules: Option<&Validation>, draw: &mut Draw) -> String {
    let least = rules.and_then(|rules| rules.min_length).unwrap_or_default().min(LONGEST);
    let most = rules.and_then(|rules| rules.max_length).unwrap_or(usize::MAX);
    if let Some(pattern) = rules.and_then(|rules| rules.pattern.as_ref()) {
        let fits = |text: &str| (least..=most).contains(&text.chars().count()) && pattern.matches(text);
        let found = pattern::matching(pattern, draw, |text| fits(text) || fits(&padded(text, least)));
        return found.map(|text| if fits(&text) { text } else { padded(&text, least) }).unwrap_or_default();
    }
    let length = USUAL.clamp(least, most.max(least)).min(most);
    (0..length).filter_map(|_| draw.among(b"abcdefghijklmnopqrstuvwxyz").copied()).map(char::from).collect()
}

/// A string that is long enough: what isn't anchored goes on as it likes.
fn padded(text: &str, least: usize) -> String {
    let missing = least.saturating_sub(text.chars().count());
    text.chars().chain(std::iter::repeat_n('a', missing)).collect()
}
