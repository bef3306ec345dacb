//! What is wrong with a value, in words that don't show it.

use std::{collections::BTreeSet, fmt};

use bulkhead_value::{Kind, PropertyPath, Value};

use crate::{
    model::{EnumType, Package, Type},
    walk::Reason,
};

/// Failures are collected up to this number: a peer decides how many there could be.
pub(crate) const ENOUGH: usize = 1000;

/// How many names or values a message lists.
pub(crate) const LISTED: usize = 20;

/// How long a reason may be, bytes: a schema decides how much there is to say, and says it once for each failure.
const LONGEST_REASON: usize = 4 << 10;

/// Something wrong at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Where; the root for the object as a whole. It ends at a secret whose names are part of it, and above what is too long to
    /// be read.
    pub path: PropertyPath,
    /// What sort of mistake it is.
    pub kind: FailureKind,
    /// Why, as a sentence for a user. Holds names, kinds and what the schema says, never the value.
    pub reason: String,
}

/// A sort of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// A required property isn't there, or is null.
    Missing,
    /// The type has no such property.
    UnknownProperty,
    /// The value is of another type.
    Type,
    /// The value is of the right type, but not one of those allowed: an enum, a constant, a discriminator.
    NotAllowed,
    /// The value is out of range, or doesn't go together with another property.
    Constraint,
    /// A name can't be made.
    Name,
    /// An environment variable that a default comes from is unusable.
    Environment,
    /// A result isn't known although the operation is over.
    Unknown,
}

impl Failure {
    pub(crate) fn new(path: PropertyPath, kind: FailureKind, reason: impl Into<String>) -> Self {
        let mut reason = reason.into();
        if reason.len() > LONGEST_REASON {
            reason.truncate(reason.floor_char_boundary(LONGEST_REASON));
            reason.push('…');
        }
        Self { path, kind, reason }
    }
}

/// The sort of mistake that a mismatch is, and what to say about it.
pub(crate) fn mismatch(package: &Package, reason: &Reason<'_>) -> (FailureKind, String) {
    match reason {
        Reason::Kind(ty, kind) => (FailureKind::Type, format!("expected {}, got {kind}", expected(package, ty))),
        Reason::Fraction => (FailureKind::Type, "expected an integer, got a number that isn't one".to_owned()),
        Reason::NotAllowed(enumeration) => {
            (FailureKind::NotAllowed, format!("expected {}, got another value", allowed(enumeration)))
        }
        Reason::NotJson => {
            (FailureKind::Type, "expected JSON, got a value with an asset, an archive or a resource in it".to_owned())
        }
        Reason::NoVariant(known) => {
            let known = known.iter().map(|name| quoted(name));
            (FailureKind::NotAllowed, format!("expected {}, got another value", one_of(known)))
        }
        Reason::TooMuch => (FailureKind::Type, TOO_MUCH.to_owned()),
        Reason::StrayMember => {
            (FailureKind::Type, "expected assets and archives as members of the archive, got another value".to_owned())
        }
    }
}

/// What whoever wrote the value may do about it, to stand behind what is wrong.
pub(crate) fn advice(reason: &Reason<'_>) -> &'static str {
    match reason {
        // Languages without types of their own, such as YAML, send what looks like a number as one.
        Reason::Kind(Type::String, Kind::Number | Kind::Bool) => "; hint: put it in quotes",
        _ => "",
    }
}

/// What to say of a value that nobody has the time to look through.
pub(crate) const TOO_MUCH: &str = "there is too much in it to be compared with the types that the schema allows";

/// What to say of a value that isn't the constant.
pub(crate) fn not_constant(constant: &Value) -> String {
    format!("expected {}, got another value", primitive(constant))
}

/// What to say of a property that isn't there.
pub(crate) fn missing(name: &str) -> String {
    format!("missing required property '{}'", shown(name))
}

/// A name as it stands in a message.
pub(crate) fn shown(name: &str) -> impl fmt::Display {
    let mut text: String = name.escape_debug().take(100).collect();
    if name.chars().nth(100).is_some() {
        text.push('…');
    }
    text
}

const ASSET: &str = "an asset or an archive";
const ARCHIVE: &str = "an archive";

/// What a type expects, with its article.
fn expected(package: &Package, ty: &Type) -> String {
    let mut found: Vec<String> = Vec::new();
    // What was looked at, by its text or its token: to make the texts of all enums takes too long.
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        let (text, enumeration) = match ty {
            Type::Boolean => ("a boolean", None),
            Type::Integer => ("an integer", None),
            Type::Number => ("a number", None),
            Type::String => ("a string", None),
            Type::Array(_) => ("a list", None),
            Type::Map(_) | Type::Object(_) => ("an object", None),
            Type::Asset => (ASSET, None),
            Type::Archive => (ARCHIVE, None),
            Type::Any => ("a value", None),
            Type::Json => ("JSON", None),
            Type::Resource(_) => ("a resource, an id or a URN", None),
            Type::Enum(token) => match package.enum_type(token) {
                Some(enumeration) => (token.as_str(), Some(enumeration)),
                None => ("a value", None),
            },
            Type::Union(union) => {
                open.extend(union.variants.iter().rev());
                continue;
            }
        };
        if seen.insert(text) && seen.len() <= LISTED {
            let text = enumeration.map_or_else(|| text.to_owned(), allowed);
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    // The one says the other as well.
    if seen.contains(ASSET) {
        found.retain(|text| text != ARCHIVE);
    }
    match seen.len().saturating_sub(LISTED) {
        0 => {}
        more => found.push(format!("{more} more")),
    }
    joined(&found)
}

fn allowed(enumeration: &EnumType) -> String {
    if enumeration.values.is_empty() {
        return enumeration.underlying.to_string();
    }
    one_of(enumeration.values.iter().map(|allowed| primitive(&allowed.value)))
}

fn one_of(values: impl ExactSizeIterator<Item = String>) -> String {
    let more = values.len().saturating_sub(LISTED);
    let mut listed: Vec<String> = values.take(LISTED).collect();
    if more > 0 {
        listed.push(format!("{more} more"));
    }
    match listed.as_slice() {
        [only] => only.clone(),
        listed => format!("one of {}", joined(listed)),
    }
}

fn joined(texts: &[String]) -> String {
    match texts {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// A value that the schema itself has.
fn primitive(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        other => other.kind().to_string(),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", shown(text))
}
