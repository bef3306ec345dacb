//! The package, and how its members are found.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;

use super::{
    Definition, EnumType, Function, ModuleFormat, ObjectType, Overrides, Parameterization, PluginSource, Remembered,
    Resource, ResourceFacts, Section,
};
use crate::{Problem, SchemaError, nearest::nearest, parse};

/// A package: everything that one provider offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// The namespace that the name stands in.
    pub namespace: Option<String>,
    /// Its version.
    pub version: Option<Version>,
    /// Its configuration: the variables of `config` and the inputs of `provider`. What is required is what the provider
    /// requires.
    pub configuration: ObjectType,
    /// Which calls about the configuration the provider answers itself, by its manifest.
    pub overrides: Overrides,
    /// The provider as a resource.
    pub provider: Resource,
    /// Resources and components by token.
    pub resources: Section<Resource>,
    /// Functions and methods by token.
    pub functions: Section<Function>,
    /// Named types by token.
    pub types: Section<Definition>,
    /// The token of a resource by each token it was known by before.
    pub aliases: BTreeMap<String, String>,
    /// How the module that programs see is found in the module of a token.
    pub module_format: Option<ModuleFormat>,
    /// The parameter that made it from another package's provider, if one did.
    pub parameterization: Option<Parameterization>,
    /// The addresses that it names for plugins.
    pub sources: Vec<PluginSource>,
    /// What was accepted in the schema, but shouldn't be written any more.
    pub notices: Vec<Problem>,
    /// Whether any property coerces. Most packages have none, and are spared the search.
    pub(crate) coerces: bool,
    /// As [`labour`](Self::labour) has it.
    pub(crate) labour: usize,
    /// What it needs code for, if that was found out before.
    pub(crate) remembered: Remembered,
}

/// A manifest speaks of a resource that the schema doesn't have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("find resource '{token}' of the manifest in the schema{}", hint(nearest.as_deref()))]
pub struct UnknownToken {
    /// The token.
    pub token: String,
    /// A token of the schema that it may be a misspelling of.
    pub nearest: Option<String>,
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!("; hint: did you mean '{nearest}'?")).unwrap_or_default()
}

impl Package {
    /// The methods of a resource that a provider has something to serve for: all but those that are written by hand in SDKs.
    pub fn served_methods<'p>(&'p self, resource: &'p Resource) -> impl Iterator<Item = &'p String> {
        let by_hand = |token: &str| self.function(token).is_some_and(|function| function.is_overlay);
        resource.methods.values().filter(move |token| !resource.is_overlay && !by_hand(token))
    }

    /// The functions that a provider has something to serve for: all but methods, and those that are written by hand in SDKs.
    pub fn served_functions(&self) -> impl Iterator<Item = (&String, &Function)> {
        let all = self.resources.values().chain([&self.provider]);
        let methods: BTreeSet<&String> = all.flat_map(|resource| resource.methods.values()).collect();
        self.functions.iter().filter(move |(token, function)| !function.is_overlay && !methods.contains(token))
    }

    /// Reads a package schema from its JSON. All that is wrong with it is reported at once.
    pub fn parse(json: &[u8]) -> Result<Self, SchemaError> {
        parse::package(json)
    }

    /// How many times as much work as usual values of this package may be for their size, at the worst; 1 for most.
    pub fn labour(&self) -> usize {
        // Nobody looked at one that was made by hand.
        self.labour.max(1)
    }

    /// The resource of this token, or the one that was known by it before. The provider's token is
    /// `pulumi:providers:NAME`.
    pub fn resource(&self, token: &str) -> Option<&Resource> {
        if token == self.provider.token {
            return Some(&self.provider);
        }
        self.resources.get(token).or_else(|| self.resources.get(self.aliases.get(token)?))
    }

    /// The resource of this very token, to add to it what the manifest says.
    pub fn resource_mut(&mut self, token: &str) -> Option<&mut Resource> {
        self.remembered = Remembered::default();
        self.resources.get_mut(token)
    }

    /// The token of a resource that this one may be a misspelling of.
    pub fn nearest_resource(&self, token: &str) -> Option<&str> {
        nearest(token, self.resources.keys().map(String::as_str))
    }

    /// The token of a component that this one may be a misspelling of.
    pub fn nearest_component(&self, token: &str) -> Option<&str> {
        let components = self.resources.iter().filter(|(_, resource)| resource.is_component);
        nearest(token, components.map(|(token, _)| token.as_str()))
    }

    /// The function of this token.
    pub fn function(&self, token: &str) -> Option<&Function> {
        self.functions.get(token)
    }

    /// The token of a function that this one may be a misspelling of.
    pub fn nearest_function(&self, token: &str) -> Option<&str> {
        nearest(token, self.functions.keys().map(String::as_str))
    }

    /// The configuration that this name may be a misspelling of.
    pub fn nearest_setting(&self, name: &str) -> Option<&str> {
        nearest(name, self.configuration.properties.keys().map(String::as_str))
    }

    /// The module of a token that programs see, such as `s3` of `aws:s3/bucket:Bucket`; `None` for the root.
    pub fn module<'t>(&self, token: &'t str) -> Option<&'t str> {
        parse::module(self.module_format.as_ref(), token)
    }

    /// The object type of this token.
    pub fn object_type(&self, token: &str) -> Option<&ObjectType> {
        match self.types.get(token) {
            Some(Definition::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// The enum of this token.
    pub fn enum_type(&self, token: &str) -> Option<&EnumType> {
        match self.types.get(token) {
            Some(Definition::Enum(enumeration)) => Some(enumeration),
            _ => None,
        }
    }

    /// Adds what the manifest says about a resource.
    pub fn apply(&mut self, token: &str, facts: ResourceFacts) -> Result<(), UnknownToken> {
        match self.resource_mut(token) {
            Some(resource) => {
                resource.facts = facts;
                Ok(())
            }
            None => {
                Err(UnknownToken { token: token.to_owned(), nearest: self.nearest_resource(token).map(str::to_owned) })
            }
        }
    }
}
