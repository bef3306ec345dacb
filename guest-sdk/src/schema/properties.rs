//! Properties of resources, functions, configuration and nested objects.

use super::facts::Facts;
use super::json::Members;
use super::types::{Types, describe};
use crate::value::Property;

/// What an object is, since the same field means something else on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// What a program gives.
    Input,
    /// What a program gives a component or a method, where what isn't an output is plain.
    Eventual,
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
    pub(crate) properties: Members,
    pub(crate) required: Vec<&'static str>,
    /// Environment variables that defaults come from, and the properties that they are for.
    pub(crate) environment: Vec<(&'static str, &'static str)>,
    /// Properties that somebody must give a value in the end, with their descriptions.
    pub(crate) keys: Vec<(&'static str, &'static str)>,
    names: Vec<&'static str>,
    /// What was said of each, for a look at it in a test.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) declared: Vec<(&'static str, Facts)>,
}

impl ObjectSpec {
    pub(crate) fn describe(types: &mut Types, side: Side, describe: fn(&mut PropertySet<'_>)) -> Self {
        let mut properties = PropertySet { types, side, spec: Self::default() };
        describe(&mut properties);
        properties.spec
    }

    /// The names of all, in the order of the fields, those that must be given first: in most languages nothing that must be given follows
    /// what needn't.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &'static str> {
        let names = self.names.iter().copied();
        let (required, others): (Vec<_>, Vec<_>) = names.partition(|name| self.required.contains(name));
        required.into_iter().chain(others)
    }

    /// The members `properties` and `required` of the metaschema's `objectTypeSpec`.
    pub(crate) fn put(self, spec: &mut Members) {
        spec.object("properties", self.properties);
        spec.texts("required", self.required);
    }

    /// The same as a resource's inputs.
    pub(crate) fn put_inputs(self, spec: &mut Members) {
        spec.object("inputProperties", self.properties);
        spec.texts("requiredInputs", self.required);
    }
}

impl PropertySet<'_> {
    /// Adds a property of type `T`.
    pub fn add<T: Property>(&mut self, name: &'static str, facts: &Facts) {
        let spec = T::type_spec(self.types);
        let spec = if self.side == Side::Eventual { spec.into_plain_members() } else { spec.into_members() };
        let (optional, secret) = (T::OPTIONAL, T::SECRET);
        let ty = TypeFacts { optional, secret, bounds: T::BOUNDS, items: T::ITEMS, pattern: T::PATTERN };
        self.insert(name, spec, &ty, facts);
    }

    fn insert(&mut self, name: &'static str, mut spec: Members, ty: &TypeFacts, facts: &Facts) {
        describe(&mut spec, facts.description);
        spec.text_if("deprecationMessage", facts.deprecated);
        spec.flag("secret", facts.secret || ty.secret);
        if let Some(constant) = facts.constant {
            spec.json("const", &constant());
        }
        if self.side != Side::Output {
            spec.flag("willReplaceOnChanges", facts.replace);
            if let Some(default) = facts.default {
                spec.json("default", &default());
            }
            let mut info = Members::default();
            info.texts("environment", facts.environment.iter().copied());
            spec.object("defaultInfo", info);
            self.spec.environment.extend(facts.environment.iter().map(|variable| (*variable, name)));
        }
        let mut language = Members::default();
        language.object("bulkhead", self.extension(facts, ty));
        spec.object("language", language);

        let required = match self.side {
            Side::Output => !ty.optional || facts.output_default.is_some_and(|default| default() != "null"),
            Side::Input | Side::Eventual | Side::Nested => !ty.optional && !facts.has_substitute(),
        };
        if required {
            self.spec.required.push(name);
        }
        if !ty.optional && facts.default.is_none() {
            self.spec.keys.push((name, facts.description));
        }
        if self.spec.names.contains(&name) {
            self.types.faults.push(format!("the property `{name}` is there twice: a flattened struct has it too"));
        }
        self.spec.names.push(name);
        #[cfg(not(target_arch = "wasm32"))]
        self.spec.declared.push((name, *facts));
        self.spec.properties.json(name, &spec.into_object());
    }

    /// What the metaschema has no word for.
    fn extension(&self, facts: &Facts, ty: &TypeFacts) -> Members {
        let mut extension = Members::default();
        if matches!(self.side, Side::Output | Side::Nested) {
            extension.flag("stable", facts.stable);
        }
        if self.side != Side::Output {
            if let Some(default) = facts.output_default {
                extension.json("outputDefault", &default());
            }
            extension.flag("notEchoed", facts.not_echoed);
            extension.flag("emptyIsAbsent", facts.empty_is_absent);
            extension.flag("coerces", facts.coerces);
            if let Some(autoname) = &facts.autoname {
                // Empty too: it says that there is one.
                extension.json("autoname", &autoname.spec().into_object());
            }
            // Nobody would try a component's inputs on it, and reading them does.
            let pattern = ty.pattern.filter(|_| self.side != Side::Eventual);
            extension.object("validate", facts.validation.spec(ty.bounds, ty.items, pattern));
        }
        extension
    }
}

/// What a property's type says, its type forgotten.
struct TypeFacts {
    optional: bool,
    secret: bool,
    bounds: Option<(i64, i64)>,
    items: Option<u32>,
    pattern: Option<&'static str>,
}
