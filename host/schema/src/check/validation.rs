//! What a value must satisfy beyond its type.

use bulkhead_value::Value;

use crate::model::{Property, Validation};

/// What a known value of the property's type fails to satisfy.
pub(crate) fn broken_rules(property: Option<&Property>, value: &Value) -> Vec<String> {
    let Some(rules) = property.and_then(|property| property.facts.validate.as_ref()) else { return Vec::new() };
    let broken = match value {
        Value::Number(number) => in_range(rules, *number),
        Value::String(text) => text_rules(rules, text),
        Value::List(list) => counted(list.len(), rules.min_items, rules.max_items, "element", "elements"),
        Value::Object(object) => counted(object.len(), rules.min_items, rules.max_items, "member", "members"),
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

fn text_rules(rules: &Validation, text: &str) -> [Option<String>; 3] {
    let length = text.chars().count();
    let [short, long, _] = counted(length, rules.min_length, rules.max_length, "character", "characters");
    // What isn't tried can't be said to match.
    let pattern = rules.pattern.as_ref().filter(|pattern| !pattern.matches(text)).map(|pattern| {
        let most = pattern.longest_text();
        if text.len() > most {
            return format!("expected at most {most} bytes, the most that its pattern is tried on");
        }
        format!("expected a string that matches {}", pattern.as_str())
    });
    [short, long, pattern]
}

fn counted(count: usize, least: Option<usize>, most: Option<usize>, one: &str, many: &str) -> [Option<String>; 3] {
    let of = |number: usize| format!("{number} {}", if number == 1 { one } else { many });
    let few = least.filter(|least| count < *least).map(|least| format!("expected at least {}", of(least)));
    let much = most.filter(|most| count > *most).map(|most| format!("expected at most {}", of(most)));
    [few, much, None]
}
