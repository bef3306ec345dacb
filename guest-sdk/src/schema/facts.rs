//! What an author says about a property beside its type.

use super::json::Members;

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
    /// The only value that is allowed, as JSON.
    pub constant: Option<fn() -> String>,
    /// What the host fills in where the input is left out, as JSON.
    pub default: Option<fn() -> String>,
    /// What the output is where the input is left out, although the input stays left out, as JSON.
    pub output_default: Option<fn() -> String>,
    /// Environment variables to take a default from.
    pub environment: &'static [&'static str],
    /// Whether an update never changes the output.
    pub stable: bool,
    /// Whether the output may differ from the input of the same name.
    pub not_echoed: bool,
    /// Whether an empty input means the same as none.
    pub empty_is_absent: bool,
    /// Whether a scalar may be given in another spelling.
    pub coerces: bool,
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
    /// The least number, as JSON.
    pub minimum: Option<fn() -> String>,
    /// The greatest number, as JSON.
    pub maximum: Option<fn() -> String>,
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
    /// Whether the host fills the input in where it is left out, if nothing speaks against it.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn is_filled(&self) -> bool {
        self.constant.is_some() || self.default.is_some() || self.autoname.is_some() || !self.environment.is_empty()
    }

    /// Whether something stands in for an input that is left out.
    pub(super) fn has_substitute(&self) -> bool {
        self.default.is_some()
            || self.output_default.is_some()
            || self.autoname.is_some()
            || !self.environment.is_empty()
    }
}

impl Autoname {
    pub(super) fn spec(&self) -> Members {
        let mut spec = Members::default();
        spec.count_if("maxLength", self.max_length);
        spec.text_if("separator", self.separator);
        spec.count_if("hexDigits", self.hex_digits);
        spec.text_if("charset", self.charset);
        spec
    }
}

impl Validation {
    /// The members of `validate`, for a type that holds only integers within `bounds`, or `items` elements, or strings of a `pattern`.
    pub(super) fn spec(
        &self,
        bounds: Option<(i64, i64)>,
        items: Option<u32>,
        pattern: Option<&'static str>,
    ) -> Members {
        let mut spec = Members::default();
        bound(&mut spec, "minimum", self.minimum, bounds.map(|(least, _)| least), |said, held| said >= held);
        bound(&mut spec, "maximum", self.maximum, bounds.map(|(_, greatest)| greatest), |said, held| said <= held);
        spec.count_if("minLength", self.min_length);
        spec.count_if("maxLength", self.max_length);
        spec.count_if("minItems", self.min_items.or(items));
        spec.count_if("maxItems", self.max_items.or(items));
        spec.text_if("pattern", self.pattern.or(pattern));
        spec.texts("conflictsWith", self.conflicts_with.iter().copied());
        spec.texts("requires", self.requires.iter().copied());
        spec.texts("exactlyOneOf", self.exactly_one_of.iter().copied());
        spec
    }
}

/// The author's bound, or the type's where that is stricter: a preview would promise what nobody can read afterwards.
fn bound(
    spec: &mut Members,
    name: &str,
    said: Option<fn() -> String>,
    held: Option<i64>,
    is_strict: fn(f64, f64) -> bool,
) {
    let said = said.map(|said| said());
    let within = |said: &String| held.is_none_or(|held| said.parse().is_ok_and(|said| is_strict(said, held as f64)));
    if let Some(bound) = said.filter(within).or_else(|| held.map(|held| held.to_string())) {
        spec.json(name, &bound);
    }
}
