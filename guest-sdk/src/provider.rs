//! A provider as a whole: what [`provider!`](crate::provider!) writes down.

use crate::config::Config;
use crate::error::{Error, Result};
use crate::mapping::Mappings;
use crate::parameter::{self, Subpackage};
use crate::schema::Literal;
use crate::{component, function, list, manifest, resource, schema};

/// A provider: a table of what it has. [`provider!`](crate::provider!) defines one as `PROVIDER`.
pub struct Provider<C: 'static> {
    /// What is said about the package.
    pub metadata: Metadata,
    /// The custom resources.
    pub resources: &'static [resource::Entry<C>],
    /// The component resources.
    pub components: &'static [component::Entry<C>],
    /// The methods of resources.
    pub methods: &'static [component::MethodEntry<C>],
    /// The functions.
    pub functions: &'static [function::Entry<C>],
    /// The resources that can be listed.
    pub lists: &'static [list::Entry<C>],
    /// The mappings to other ecosystems.
    pub mappings: Option<Mappings>,
    /// The parameter that it takes, and what that brings.
    pub parameter: Option<parameter::Entry<C>>,
    /// The manifest's `permissions`, an object of lists.
    pub permissions: &'static [(&'static str, &'static [Literal])],
    /// The manifest's `configuration.overrides`.
    pub configuration_overrides: &'static [&'static str],
}

/// What is said about a package.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    /// Its name, which all its tokens start with.
    pub name: &'static str,
    /// Its semantic version.
    pub version: &'static str,
    /// Its name for people.
    pub display_name: Option<&'static str>,
    /// What it is for.
    pub description: Option<&'static str>,
    /// Who publishes it.
    pub publisher: Option<&'static str>,
    /// Whose name it is part of, `pulumi` if not said.
    pub namespace: Option<&'static str>,
    /// Its licence.
    pub license: Option<&'static str>,
    /// Its page.
    pub homepage: Option<&'static str>,
    /// Where its sources are.
    pub repository: Option<&'static str>,
    /// Its logo.
    pub logo_url: Option<&'static str>,
    /// Whose work it is derived from.
    pub attribution: Option<&'static str>,
    /// Where its plugin is. Engines are told where the manifest asks for the package from there, and an operator grants it.
    pub plugin_download_url: Option<&'static str>,
    /// What it is found by.
    pub keywords: &'static [&'static str],
    /// The regular expression that takes the module's name from a token.
    pub module_format: Option<&'static str>,
    /// What generators of SDKs are told, by language.
    pub language: Option<Literal>,
}

impl Metadata {
    /// A package of which nothing else is said.
    pub const fn new(name: &'static str, version: &'static str) -> Self {
        Self {
            name,
            version,
            display_name: None,
            description: None,
            publisher: None,
            namespace: None,
            license: None,
            homepage: None,
            repository: None,
            logo_url: None,
            attribution: None,
            plugin_download_url: None,
            keywords: &[],
            module_format: None,
            language: None,
        }
    }
}

impl<C: Config> Provider<C> {
    /// The package schema, a JSON document after Pulumi's metaschema. Always the same text. An error where two types are called alike,
    /// or two properties of one object: test it.
    pub fn schema(&self) -> Result<String> {
        schema::package(self)
    }

    /// The schema of a sub-package, whose parameter was taken before.
    pub fn subpackage_schema(&self, subpackage: &Subpackage) -> Result<String> {
        schema::subpackage(self, self.parameter()?, subpackage)
    }

    /// The manifest, a JSON document: permissions that are asked for, and what the schema has no word for.
    pub fn manifest(&self) -> String {
        manifest::manifest(self)
    }

    pub(crate) fn resource(&self, token: &str) -> Result<&'static resource::Entry<C>> {
        parameter::about_none();
        let own = self.resources.iter().find(|entry| entry.declaration.token == token);
        let found = match (own, &self.parameter) {
            (None, Some(parameter)) => parameter.find(token, parameter.resources, |entry| entry.declaration.token)?,
            (own, _) => own,
        };
        found.ok_or_else(|| Error::unsupported(format!("the provider has no resource `{token}`")))
    }

    pub(crate) fn component(&self, token: &str) -> Result<&'static component::Entry<C>> {
        let entry = self.components.iter().find(|entry| entry.declaration.token == token);
        entry.ok_or_else(|| Error::unsupported(format!("the provider has no component `{token}`")))
    }

    pub(crate) fn method(&self, token: &str) -> Result<&'static component::MethodEntry<C>> {
        let entry = self.methods.iter().find(|entry| entry.token(self.metadata.name) == token);
        entry.ok_or_else(|| Error::unsupported(format!("the provider has no method `{token}`")))
    }

    pub(crate) fn function(&self, token: &str) -> Result<&'static function::Entry<C>> {
        parameter::about_none();
        let own = self.functions.iter().find(|entry| entry.declaration.token == token);
        let found = match (own, &self.parameter) {
            (None, Some(parameter)) => parameter.find(token, parameter.functions, |entry| entry.declaration.token)?,
            (own, _) => own,
        };
        found.ok_or_else(|| Error::unsupported(format!("the provider has no function `{token}`")))
    }

    /// How a resource is listed, by its token in the package that the call is about.
    pub(crate) fn list(&self, token: &str) -> Result<&'static list::Entry<C>> {
        let declared = self.resource(token)?.declaration.token;
        let entry = self.lists.iter().find(|entry| entry.token == declared);
        entry.ok_or_else(|| Error::unsupported(format!("resources of the type `{token}` can't be listed")))
    }

    pub(crate) fn parameter(&self) -> Result<&parameter::Entry<C>> {
        self.parameter.as_ref().ok_or_else(|| Error::unsupported("the provider takes no parameters"))
    }
}
