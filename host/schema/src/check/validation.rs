//! What a value must satisfy beyond its type.

use std::str;

use bulkhead_value::Value;

use crate::{
    model::{Pattern, Property, Validation},
    walk::is_foreign,
};

/// How many steps all texts of a check may take on their patterns, some seconds: ten thousand texts of a hundred characters on patterns of
/// dozens.
const STEPS: usize = 50_000_000;

/// Tries texts on patterns, and counts the steps. A schema and a value decide how many there are and how long each takes.
pub(crate) struct Tries {
    /// How many steps there still are; absent once one was wanted that there wasn't.
    left: Option<usize>,
}

impl Tries {
    pub(crate) fn new() -> Self {
        Self::within(STEPS)
    }

    /// So many steps at most.
    pub(super) fn within(steps: usize) -> Self {
        Self { left: Some(steps) }
    }

    /// Whether there weren't enough steps.
    pub(super) fn are_spent(&self) -> bool {
        self.left.is_none()
    }

    /// What is wrong with a text for a pattern. What isn't tried can't be said to match.
    fn broken(&mut self, pattern: &Pattern, text: &str) -> Option<String> {
        let most = pattern.longest_text();
        if text.len() > most {
            return Some(format!("expected at most {most} bytes, the most that its pattern is tried on"));
        }
        self.left = self.left.and_then(|left| left.checked_sub(pattern.effort(text)));
        if self.left.is_none() {
            return Some("there are more and longer texts than patterns are tried on".to_owned());
        }
        (!pattern.matches(text)).then(|| unmatched(pattern))
    }
}

/// What a known value of the property's type fails to satisfy.
pub(crate) fn broken_rules(property: Option<&Property>, value: &Value, tries: &mut Tries) -> Vec<String> {
    let Some(rules) = property.and_then(|property| property.facts.validate.as_ref()) else { return Vec::new() };
    let broken = match value {
        Value::Number(number) => in_range(rules, *number),
        Value::String(text) => text_rules(rules, text, tries),
        // An engine doesn't keep a text and its bytes apart.
        Value::Bytes(bytes) => match str::from_utf8(bytes) {
            Ok(text) => text_rules(rules, text, tries),
            Err(_) => byte_rules(rules, bytes),
        },
        Value::List(list) => counted(list.len(), rules.min_items, rules.max_items, "element", "elements"),
        Value::Object(object) => {
            let is_there = |(name, member): &(&String, &Value)| !is_foreign(name, None) && !member.plain().is_null();
            counted(object.iter().filter(is_there).count(), rules.min_items, rules.max_items, "member", "members")
        }
        _ => return Vec::new(),
    };
    broken.into_iter().flatten().collect()
}

fn in_range(rules: &Validation, number: f64) -> [Option<String>; 3] {
    // Asked for what is in range, so that a NaN isn't.
    let below = rules.minimum.filter(|least| !(*least..).contains(&number));
    let above = rules.maximum.filter(|most| !(..=*most).contains(&number));
    [
        below.map(|least| format!("expected at least {least}")),
        above.map(|most| format!("expected at most {most}")),
        None,
    ]
}

fn text_rules(rules: &Validation, text: &str, tries: &mut Tries) -> [Option<String>; 3] {
    let length = text.chars().count();
    let [short, long, _] = counted(length, rules.min_length, rules.max_length, "character", "characters");
    [short, long, rules.pattern.as_ref().and_then(|pattern| tries.broken(pattern, text))]
}

/// What is no text matches no pattern, and has bytes in place of characters.
fn byte_rules(rules: &Validation, bytes: &[u8]) -> [Option<String>; 3] {
    let [short, long, _] = counted(bytes.len(), rules.min_length, rules.max_length, "byte", "bytes");
    [short, long, rules.pattern.as_ref().map(unmatched)]
}

fn unmatched(pattern: &Pattern) -> String {
    format!("expected a string that matches {}", pattern.as_str())
}

fn counted(count: usize, least: Option<usize>, most: Option<usize>, one: &str, many: &str) -> [Option<String>; 3] {
    let of = |number: usize| format!("{number} {}", if number == 1 { one } else { many });
    let few = least.filter(|least| count < *least).map(|least| format!("expected at least {}", of(least)));
    let much = most.filter(|most| count > *most).map(|most| format!("expected at most {}", of(most)));
    [few, much, None]
}
