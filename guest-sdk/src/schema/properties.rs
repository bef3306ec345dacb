//! Properties of resources, functions, configuration and nested objects.

use serde_json::{Map, Value as Json};

use super::facts::{self, Facts, insert};
use super::types::{Types, describe};
use crate::value::Property;

/// What an object is, since the same field means something else on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// What a program gives.
    Input,
    /// What is recorded or returned.
    Output,
    /// Part of either.
    Nested,
}

/// The properties of one object, while they are being described.
#[derive(Debug)]
pub struct PropertySet<'a> {
    types: &'a mut Types,
    side: Side,
    spec: ObjectSpec,
}

/// The properties of one object.
#[derive(Debug, Default)]
pub(crate) struct ObjectSpec {
    pub(crate) properties: Map<String, Json>,
    pub(crate) required: Vec<Json>,
    /// Environment variables that defaults come from, and the properties that they are for.
    pub(crate) environment: Vec<(&'static str, String)>,
    /// Required properties, with their descriptions.
    pub(crate) keys: Vec<(String, &'static str)>,
}

impl ObjectSpec {
    pub(crate) fn describe(types: &mut Types, side: Side, describe: fn(&mut PropertySet<'_>)) -> Self {
        let mut properties = PropertySet { types, side, spec: Self::default() };
        describe(&mut properties);
        properties.spec
    }

    /// The members `properties` and `required` of the metaschema's `objectTypeSpec`.
    pub(crate) fn into_map(self) -> Map<String, Json> {
        let mut map = Map::new();
        map.insert("properties".to_owned(), Json::Object(self.properties));
        insert(&mut map, "required", (!self.required.is_empty()).then_some(self.required));
        map
    }
}

impl PropertySet<'_> {
    /// Adds a property of type `T`.
    pub fn add<T: Property>(&mut self, name: &'static str, facts: &Facts) {
        let mut spec = T::type_spec(self.types).into_map();
        let input = self.side != Side::Output;
        describe(&mut spec, facts.description);
        insert(&mut spec, "deprecationMessage", facts.deprecated);
        insert(&mut spec, "secret", (facts.secret || T::SECRET).then_some(true));
        if input {
            insert(&mut spec, "willReplaceOnChanges", facts.replace.then_some(true));
            insert(&mut spec, "default", facts.default.and_then(facts::default));
            self.environment(&mut spec, name, facts);
        }
        let extension = self.extension(facts, T::BOUNDS);
        if !extension.is_empty() {
            let language = Map::from_iter([("bulkhead".to_owned(), Json::Object(extension))]);
            spec.insert("language".to_owned(), Json::Object(language));
        }
        let required = match self.side {
            Side::Output => !T::OPTIONAL || facts.output_default.is_some(),
            Side::Input | Side::Nested => !T::OPTIONAL && !facts.has_substitute(),
        };
        if required {
            self.spec.required.push(name.into());
        }
        if !T::OPTIONAL {
            self.spec.keys.push((name.to_owned(), facts.description));
        }
        self.spec.properties.insert(name.to_owned(), Json::Object(spec));
    }

    fn environment(&mut self, spec: &mut Map<String, Json>, name: &str, facts: &Facts) {
        if facts.environment.is_empty() {
            return;
        }
        let variables: Vec<Json> = facts.environment.iter().copied().map(Json::from).collect();
        let info = Map::from_iter([("environment".to_owned(), variables.into())]);
        spec.insert("defaultInfo".to_owned(), Json::Object(info));
        self.spec.environment.extend(facts.environment.iter().map(|variable| (*variable, name.to_owned())));
    }

    /// What the metaschema has no word for.
    fn extension(&self, facts: &Facts, bounds: Option<(f64, f64)>) -> Map<String, Json> {
        let mut extension = Map::new();
        if self.side != Side::Input {
            insert(&mut extension, "stable", facts.stable.then_some(true));
        }
        if self.side != Side::Output {
            insert(&mut extension, "outputDefault", facts.output_default.and_then(facts::default));
            insert(&mut extension, "notEchoed", facts.not_echoed.then_some(true));
            insert(&mut extension, "autoname", facts.autoname.map(|autoname| autoname.spec()));
            let validation = facts.validation.within(bounds).spec();
            insert(&mut extension, "validate", (!validation.is_empty()).then_some(validation));
        }
        extension
    }
}
