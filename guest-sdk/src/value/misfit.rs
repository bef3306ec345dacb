//! Why a value doesn't fit a type.

use std::borrow::Cow;
use std::fmt;

use super::Value;
use crate::path::{Path, Segment};

/// Why a value doesn't fit a type, and where. It never holds the value, which may be secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Misfit(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    /// From the innermost step out, since that is how a misfit travels.
    reversed: Vec<Segment>,
    reason: Cow<'static, str>,
    missing: bool,
    unknown: bool,
}

impl Misfit {
    /// Something is wrong here; `reason` reads well after "the value".
    pub fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { reversed: Vec::new(), reason: reason.into(), missing: false, unknown: false }))
    }

    /// A required member is absent.
    pub(crate) fn missing(name: &str) -> Self {
        let mut misfit = Self::new("is required");
        misfit.0.missing = true;
        misfit.field(name)
    }

    /// A preview doesn't know the value.
    pub(crate) fn unknown() -> Self {
        let mut misfit = Self::new("isn't known yet");
        misfit.0.unknown = true;
        misfit
    }

    /// Another kind of value was expected, e.g. `a string`.
    pub fn expected(wanted: &str, found: &Value) -> Self {
        match found {
            Value::Unknown => Self::unknown(),
            found => Self::new(format!("must be {wanted}, not {}", found.kind())),
        }
    }

    /// A string isn't one of an enumeration.
    pub fn none_of(values: &[&str]) -> Self {
        Self::new(format!("must be one of `{}`", values.join("`, `")))
    }

    /// A value is of none of a union's types.
    pub fn no_member(found: &Value) -> Self {
        match found.plain() {
            other if other.has_unknowns() => Self::unknown(),
            other => Self::new(format!("is of none of the types that it may have, but {}", other.kind())),
        }
    }

    /// What is wrong with the variant of a union that the property names, if one is named. For derived code.
    pub fn meant(misfits: Vec<Self>, property: &str) -> Option<Self> {
        let names = |misfit: &Self| matches!(&misfit.0.reversed[..], [Segment::Field(name)] if name == property);
        let mut meant = misfits.into_iter().filter(|misfit| !names(misfit));
        // None is named, or more than one could be.
        let first = meant.next()?;
        meant.next().is_none().then_some(first)
    }

    /// The same misfit, seen from the object that has it in the member `name`.
    pub fn field(mut self, name: &str) -> Self {
        self.0.reversed.push(Segment::Field(name.to_owned()));
        self
    }

    /// The same misfit, seen from the list that has it in the element `index`.
    pub fn index(mut self, index: usize) -> Self {
        self.0.reversed.push(Segment::Index(u32::try_from(index).unwrap_or(u32::MAX)));
        self
    }

    /// Whether a required member is absent.
    pub fn is_missing(&self) -> bool {
        self.0.missing
    }

    /// Whether it is about a member, and nothing further inside.
    pub(crate) fn is_of_a_member(&self) -> bool {
        matches!(&self.0.reversed[..], [Segment::Field(_)])
    }

    /// Whether nothing is wrong but that a preview doesn't know the value.
    pub fn is_unknown(&self) -> bool {
        self.0.unknown
    }

    /// Where, and why.
    pub fn into_parts(self) -> (Path, String) {
        (Path::from_reversed(self.0.reversed), self.0.reason.into_owned())
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = Path::from_reversed(self.0.reversed.clone());
        if path.segments().is_empty() {
            write!(formatter, "the value {}", self.0.reason)
        } else {
            write!(formatter, "`{path}` {}", self.0.reason)
        }
    }
}

impl fmt::Debug for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Misfit({self})")
    }
}
