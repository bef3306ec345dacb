//! What an author says about a property beside its type.

use serde_json::{Map, Value as Json};

use crate::value::{Misfit, Value};

/// What an author says about a property beside its type. The derives write it from `///` and `#[bulkhead(…)]`.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The doc comment.
    pub description: &'static str,
    /// Why the property shouldn't be used any more.
    pub deprecated: Option<&'static str>,
    /// Whether a change of the input replaces the resource.
    pub replace: bool,
    /// Whether the value is secret.
    pub secret: bool,
    /// What the host fills in where the input is left out.
    pub default: Option<fn() -> Result<Value, Misfit>>,
    /// What the output is where the input is left out, although the input stays left out.
    pub output_default: Option<fn() -> Result<Value, Misfit>>,
    /// Environment variables to take a default from.
    pub environment: &'static [&'static str],
    /// Whether an update never changes the output.
    pub stable: bool,
    /// Whether the output may differ from the input of the same name.
    pub not_echoed: bool,
    /// How to generate a name where the input is left out.
    pub autoname: Option<Autoname>,
    /// What values are allowed.
    pub validation: Validation,
}

/// How to generate a name: the resource's name, a separator, and random digits.
#[derive(Clone, Copy, Debug)]
pub struct Autoname {
    /// The greatest length of the whole name, in characters.
    pub max_length: Option<u32>,
    /// What stands between the resource's name and the digits.
    pub separator: Option<&'static str>,
    /// How many random digits there are.
    pub hex_digits: Option<u32>,
    /// The characters that stand in for digits.
    pub charset: Option<&'static str>,
}

/// What values are allowed. The host checks it, also in previews.
#[derive(Clone, Copy, Debug)]
pub struct Validation {
    /// The least number.
    pub minimum: Option<f64>,
    /// The greatest number.
    pub maximum: Option<f64>,
    /// The least length of a string, in characters.
    pub min_length: Option<u32>,
    /// The greatest length of a string, in characters.
    pub max_length: Option<u32>,
    /// The least number of elements or entries.
    pub min_items: Option<u32>,
    /// The greatest number of elements or entries.
    pub max_items: Option<u32>,
    /// A regular expression that the string matches somewhere.
    pub pattern: Option<&'static str>,
    /// Properties that can't be set beside this one.
    pub conflicts_with: &'static [&'static str],
    /// Properties that must be set beside this one.
    pub requires: &'static [&'static str],
    /// Properties of which, with this one, exactly one is set.
    pub exactly_one_of: &'static [&'static str],
}

impl Facts {
    /// Nothing said.
    pub const NONE: Self = Self {
        description: "",
        deprecated: None,
        replace: false,
        secret: false,
        default: None,
        output_default: None,
        environment: &[],
        stable: false,
        not_echoed: false,
        autoname: None,
        validation: Validation::NONE,
    };

    /// Whether something stands in for an input that is left out.
    pub(super) fn has_substitute(&self) -> bool {
        self.default.is_some()
            || self.output_default.is_some()
            || self.autoname.is_some()
            || !self.environment.is_empty()
    }
}

impl Autoname {
    /// The host's own ways.
    pub const NONE: Self = Self { max_length: None, separator: None, hex_digits: None, charset: None };

    pub(super) fn spec(&self) -> Json {
        let mut spec = Map::new();
        insert(&mut spec, "maxLength", self.max_length);
        insert(&mut spec, "separator", self.separator);
        insert(&mut spec, "hexDigits", self.hex_digits);
        insert(&mut spec, "charset", self.charset);
        Json::Object(spec)
    }
}

impl Validation {
    /// All values.
    pub const NONE: Self = Self {
        minimum: None,
        maximum: None,
        min_length: None,
        max_length: None,
        min_items: None,
        max_items: None,
        pattern: None,
        conflicts_with: &[],
        requires: &[],
        exactly_one_of: &[],
    };

    /// The same, for a type that holds only numbers within `bounds`.
    pub(super) fn within(mut self, bounds: Option<(f64, f64)>) -> Self {
        // Beyond this the host has no integers either.
        const EXACT: f64 = 9_007_199_254_740_991.0;
        if let Some((least, greatest)) = bounds {
            let minimum = self.minimum.map_or(least, |minimum| minimum.max(least));
            let maximum = self.maximum.map_or(greatest, |maximum| maximum.min(greatest));
            self.minimum = (minimum > -EXACT).then_some(minimum);
            self.maximum = (maximum < EXACT).then_some(maximum);
        }
        self
    }

    pub(super) fn spec(&self) -> Map<String, Json> {
        let mut spec = Map::new();
        insert(&mut spec, "minimum", self.minimum.map(number));
        insert(&mut spec, "maximum", self.maximum.map(number));
        insert(&mut spec, "minLength", self.min_length);
        insert(&mut spec, "maxLength", self.max_length);
        insert(&mut spec, "minItems", self.min_items);
        insert(&mut spec, "maxItems", self.max_items);
        insert(&mut spec, "pattern", self.pattern);
        insert(&mut spec, "conflictsWith", names(self.conflicts_with));
        insert(&mut spec, "requires", names(self.requires));
        insert(&mut spec, "exactlyOneOf", names(self.exactly_one_of));
        spec
    }
}

fn names(names: &[&str]) -> Option<Vec<Json>> {
    (!names.is_empty()).then(|| names.iter().copied().map(Json::from).collect())
}

pub(super) fn insert(spec: &mut Map<String, Json>, name: &str, value: Option<impl Into<Json>>) {
    if let Some(value) = value {
        spec.insert(name.to_owned(), value.into());
    }
}

/// A number as JSON, without a fraction where it has none.
pub(super) fn number(number: f64) -> Json {
    // 2^53 and beyond may not be exact, and stay as they are.
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        Json::from(number as i64)
    } else {
        Json::from(number)
    }
}

/// A default as JSON. Only what a literal can be is meant to come here.
pub(super) fn default(value: fn() -> Result<Value, Misfit>) -> Option<Json> {
    match value().ok()?.into_plain() {
        Value::Boolean(boolean) => Some(boolean.into()),
        Value::Number(found) => Some(number(found)),
        Value::Text(text) => Some(text.into()),
        _ => None,
    }
}
