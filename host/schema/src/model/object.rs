//! Object types and their properties.

use std::collections::{BTreeMap, BTreeSet};

use bulkhead_value::Value;

use super::{PropertyFacts, Type};

/// An object type: of a resource's inputs or outputs, of a function's arguments, of the configuration, or a named one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ObjectType {
    /// The properties by name. Names are opaque: no convention of case or language is assumed. Boxed, since each leaf of such a map has
    /// room for eleven, and most types have one or two.
    pub properties: BTreeMap<String, Box<Property>>,
    /// The names of those that must be there.
    pub required: BTreeSet<String>,
}

impl ObjectType {
    /// A property, by its name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.get(name).map(Box::as_ref)
    }

    /// Whether a property must be there.
    pub fn requires(&self, name: &str) -> bool {
        self.required.contains(name)
    }
}

/// A property of an object type.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// Its type.
    pub ty: Type,
    /// Whether programs must know it when they run. Unknowns are accepted all the same.
    pub plain: bool,
    /// Whether its value is always secret.
    pub secret: bool,
    /// Whether a change to it, or to anything below it, replaces the resource: `replaceOnChanges` or
    /// `willReplaceOnChanges`.
    pub replaces: bool,
    /// What an input that is left out is filled with.
    pub default: Option<Value>,
    /// Where else a default is looked for.
    pub default_info: DefaultInfo,
    /// The one value that it may have.
    pub constant: Option<Value>,
    /// What Pulumi's schema has no word for.
    pub facts: PropertyFacts,
    /// What it is for, in Markdown.
    pub description: Option<String>,
    /// Why it shouldn't be used any more.
    pub deprecation: Option<String>,
}

impl Property {
    /// A property of this type and no other particulars.
    pub fn of(ty: Type) -> Self {
        Self {
            ty,
            plain: false,
            secret: false,
            replaces: false,
            default: None,
            default_info: DefaultInfo::default(),
            constant: None,
            facts: PropertyFacts::default(),
            description: None,
            deprecation: None,
        }
    }

    /// Whether a check fills the property if it is left out, though maybe not from the schema alone.
    pub fn is_filled(&self) -> bool {
        self.constant.is_some()
            || self.default.is_some()
            || !self.default_info.environment.is_empty()
            || self.facts.autoname.is_some()
    }

    /// The first of the property's environment variables that is set and not empty, and its text.
    pub fn environment_default(&self, environment: &dyn Fn(&str) -> Option<String>) -> Option<(&str, String)> {
        self.default_info.environment.iter().find_map(|variable| {
            let text = environment(variable).filter(|text| !text.is_empty())?;
            Some((variable.as_str(), text))
        })
    }

    /// What the property amounts to if it is left out, as far as the schema says: its constant, its default, or what the
    /// provider promises to put in its place.
    pub fn value_if_omitted(&self) -> Option<&Value> {
        self.constant.as_ref().or(self.default.as_ref()).or(self.facts.output_default.as_ref())
    }
}

/// Where a default comes from besides the schema itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DefaultInfo {
    /// Environment variables, the first that is set and not empty wins, also over the schema's default.
    pub environment: Vec<String>,
}
