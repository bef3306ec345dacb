//! `language.bulkhead` of a property. Its members are ours, so what isn't known is refused.

use std::collections::BTreeMap;

use bulkhead_value::Value;

use super::{literal, node::Node, scope::Scope};
use crate::model::{Autoname, Pattern, Property, PropertyFacts, Type, Validation};

/// Names that are longer can't be wanted, and drawing them takes time.
const RANDOM_CHARACTERS: usize = 1024;

/// What all patterns of a schema may take together, bytes.
const PATTERNS: usize = 128 << 20;

/// What a name is made of is looked through for each name.
const LONGEST_TEXT: usize = 4_096;

/// What may stand in `language.bulkhead`.
const MEMBERS: [&str; 7] = ["outputDefault", "stable", "autoname", "notEchoed", "emptyIsAbsent", "coerces", "validate"];

fn of<'n>(language: &'n Node<'n>) -> Option<Node<'n>> {
    language.member("bulkhead")
}

/// The facts of a property of this type.
pub(super) fn of_property(node: &Node<'_>, ty: &Type, scope: &mut Scope<'_>) -> PropertyFacts {
    let Some(language) = node.member("language") else { return PropertyFacts::default() };
    if !scope.is_object(&language) {
        return PropertyFacts::default();
    }
    let Some(facts) = of(&language).filter(|facts| scope.is_object(facts)) else { return PropertyFacts::default() };
    scope.closed(&facts, &MEMBERS);
    let autoname = facts.member("autoname").and_then(|node| autoname(&node, scope));
    if autoname.is_some() && *ty != Type::String {
        scope.report(&facts, "only a string can be named automatically");
    }
    let empty_is_absent = scope.flag(&facts, "emptyIsAbsent");
    if empty_is_absent && !can_be_empty(ty) {
        scope.report(&facts, "only a string, a list, a map or an object can be empty");
    }
    let coerces = scope.flag(&facts, "coerces");
    scope.coerces |= coerces;
    if coerces && !has_scalars(ty) {
        scope.report(&facts, "only booleans, numbers and strings have another spelling");
    }
    PropertyFacts {
        output_default: output_default(&facts, ty, scope),
        stable: scope.flag(&facts, "stable"),
        autoname,
        not_echoed: scope.flag(&facts, "notEchoed"),
        empty_is_absent,
        coerces,
        validate: facts.member("validate").and_then(|node| validation(&node, scope)),
    }
}

fn can_be_empty(ty: &Type) -> bool {
    match ty {
        Type::String | Type::Array(_) | Type::Map(_) | Type::Object(_) | Type::Any => true,
        Type::Union(union) => union.variants.iter().any(can_be_empty),
        _ => false,
    }
}

/// Whether a value of the type is a scalar, or a list or map of some. The members of objects have facts of their own.
fn has_scalars(ty: &Type) -> bool {
    match ty {
        Type::Boolean | Type::Integer | Type::Number | Type::String | Type::Enum(_) => true,
        Type::Array(element) | Type::Map(element) => has_scalars(element),
        Type::Union(union) => union.variants.iter().any(has_scalars),
        _ => false,
    }
}

/// Null is a default too, so this one member isn't absent for being null.
fn output_default(facts: &Node<'_>, ty: &Type, scope: &mut Scope<'_>) -> Option<Value> {
    let value = facts.json.get("outputDefault").map(literal::value)?;
    if let Some(node) = facts.member("outputDefault")
        && !literal::is_plausible(ty, &value, scope)
    {
        scope.report(&node, format!("{} isn't of the property's type", value.kind()));
    }
    Some(value)
}

fn autoname(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Autoname> {
    if !scope.is_object(node) {
        return None;
    }
    scope.closed(node, &["maxLength", "separator", "hexDigits", "charset"]);
    let plain = Autoname::default();
    let autoname = Autoname {
        max_length: scope.count(node, "maxLength"),
        separator: scope.text(node, "separator").unwrap_or(plain.separator),
        hex_digits: scope.count(node, "hexDigits").unwrap_or(plain.hex_digits),
        charset: scope.text(node, "charset"),
    };
    if autoname.charset.as_deref() == Some("") {
        scope.report(node, "`charset` must have characters");
    }
    for (name, text) in [("separator", Some(&autoname.separator)), ("charset", autoname.charset.as_ref())] {
        if text.is_some_and(|text| text.len() > LONGEST_TEXT) {
            scope.report(node, format!("`{name}` is longer than {LONGEST_TEXT} bytes"));
        }
    }
    if autoname.hex_digits > RANDOM_CHARACTERS {
        scope.report(node, format!("`hexDigits` is more than {RANDOM_CHARACTERS}"));
    }
    if autoname.max_length.is_some_and(|most| most < autoname.hex_digits || most == 0) {
        scope.report(node, "`maxLength` leaves no room for the random characters");
    }
    Some(autoname)
}

fn validation(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Validation> {
    if !scope.is_object(node) {
        return None;
    }
    scope.closed(
        node,
        &[
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "pattern",
            "conflictsWith",
            "requires",
            "exactlyOneOf",
        ],
    );
    let pattern = node.member("pattern").and_then(|pattern| {
        let text = scope.string(&pattern)?;
        compiled(&pattern, text, scope)
    });
    Some(Validation {
        minimum: scope.number(node, "minimum"),
        maximum: scope.number(node, "maximum"),
        min_length: scope.count(node, "minLength"),
        max_length: scope.count(node, "maxLength"),
        min_items: scope.count(node, "minItems"),
        max_items: scope.count(node, "maxItems"),
        pattern,
        conflicts_with: scope.strings(node, "conflictsWith"),
        requires: scope.strings(node, "requires"),
        exactly_one_of: scope.strings(node, "exactlyOneOf"),
    })
}

/// A pattern, as long as all of them together don't take too much, neither once they are compiled nor to be read. One that is
/// wrong counts as the largest there is: to find out takes as long.
fn compiled(node: &Node<'_>, text: &str, scope: &mut Scope<'_>) -> Option<Pattern> {
    if scope.patterns >= PATTERNS {
        let hint = "leave out those that say what the type says already";
        scope.report_with(node, format!("the patterns of the schema take more than {} MiB", PATTERNS >> 20), hint);
        return None;
    }
    let pattern = Pattern::new(text);
    let size = pattern.as_ref().map_or(Pattern::largest(), Pattern::size).max(Pattern::reading(text));
    scope.patterns = scope.patterns.saturating_add(size);
    pattern.map_err(|error| scope.report(node, error.to_string())).ok()
}

/// Reports names in `validate` that aren't properties beside this one.
pub(super) fn check_siblings(
    node: &Node<'_>,
    name: &str,
    properties: &BTreeMap<String, Box<Property>>,
    scope: &mut Scope<'_>,
) {
    let Some(validation) = properties.get(name).and_then(|property| property.facts.validate.as_ref()) else { return };
    let named = validation.conflicts_with.iter().chain(&validation.requires).chain(&validation.exactly_one_of);
    for other in named.filter(|other| !properties.contains_key(*other)) {
        scope.report(node, format!("there is no property '{}' beside it to validate with", other.escape_debug()));
    }
}
