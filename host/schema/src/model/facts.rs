//! Facts that Pulumi's schema has no word for.
//!
//! Those of a property stand in its `language.bulkhead`, those of a resource in the component's manifest; both are
//! described in `docs/manifest.md`. The manifest's JSON is parsed elsewhere: here its facts are plain data.

use bulkhead_value::Value;

use super::Pattern;

/// What a manifest says about a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourceFacts {
    /// Which of the optional methods the provider has.
    pub methods: Methods,
    /// Which calls the provider answers itself.
    pub overrides: Overrides,
    /// Whether a replacement deletes the old resource first.
    pub delete_before_replace: bool,
    /// The version that recorded state is marked with.
    pub schema_version: u32,
    /// Whether inputs have the form that they had in version 0.
    pub same_inputs: bool,
}

/// The methods of a resource besides `create`, which is always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Methods {
    /// Whether it can be read.
    pub read: bool,
    /// Whether it can be updated in place. Otherwise every change replaces it.
    pub update: bool,
    /// Whether deleting it takes a call.
    pub delete: bool,
}

/// All of them: a manifest lists methods only to leave some out.
impl Default for Methods {
    fn default() -> Self {
        Self { read: true, update: true, delete: true }
    }
}

/// Calls that a provider answers itself instead of the host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Checks of inputs.
    pub check: bool,
    /// Differences.
    pub diff: bool,
    /// Previews of create and update.
    pub preview: bool,
    /// Upgrades of recorded state.
    pub upgrade: bool,
}

/// What `language.bulkhead` says about a property.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PropertyFacts {
    /// What the output is if the input is left out. A promise; null promises that the output is absent too.
    pub output_default: Option<Value>,
    /// Whether an update never changes the output. A promise.
    pub stable: bool,
    /// How a name is made for an input that is left out.
    pub autoname: Option<Autoname>,
    /// Whether the output of the same name may differ from what was given.
    pub not_echoed: bool,
    /// Whether an empty string, list, map or object means the same as to leave the input out.
    pub empty_is_absent: bool,
    /// Whether a scalar may be given in another spelling, here and in the lists and maps below: see
    /// [`typed`](crate::typed()).
    pub coerces: bool,
    /// What a given value must satisfy beyond its type.
    pub validate: Option<Validation>,
}

/// How a name is made from the resource's name: the name, the separator, random characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Autoname {
    /// The length that the whole may have, in characters; the resource's name is cut to fit.
    pub max_length: Option<usize>,
    /// What stands between the name and the random characters.
    pub separator: String,
    /// How many random characters.
    pub hex_digits: usize,
    /// What they are drawn from; the sixteen lower-case hexadecimal digits if absent. Never empty.
    pub charset: Option<String>,
}

impl Default for Autoname {
    fn default() -> Self {
        Self { max_length: None, separator: "-".to_owned(), hex_digits: 7, charset: None }
    }
}

/// What a value must satisfy. Every member is optional, and unknown values satisfy everything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Validation {
    /// The least number.
    pub minimum: Option<f64>,
    /// The greatest number.
    pub maximum: Option<f64>,
    /// The least length of a string, in characters.
    pub min_length: Option<usize>,
    /// The greatest length of a string, in characters.
    pub max_length: Option<usize>,
    /// The least number of elements of a list or members of a map.
    pub min_items: Option<usize>,
    /// The greatest number of elements of a list or members of a map.
    pub max_items: Option<usize>,
    /// What a string must match.
    pub pattern: Option<Pattern>,
    /// Properties beside this one that may not be given together with it.
    pub conflicts_with: Vec<String>,
    /// Properties beside this one that must be given if it is.
    pub requires: Vec<String>,
    /// Properties of which, this one included, exactly one must be given.
    pub exactly_one_of: Vec<String>,
}
