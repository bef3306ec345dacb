//! A provider as a whole: what [`provider!`](crate::provider!) writes down.

use crate::config::Config;
use crate::error::{Error, Result};
use crate::schema::Literal;
use crate::{component, function, manifest, resource, schema};

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
    /// Where its plugin is.
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

    /// The manifest, a JSON document: permissions that are asked for, and what the schema has no word for.
    pub fn manifest(&self) -> String {
        manifest::manifest(self)
    }

    pub(crate) fn resource(&self, token: &str) -> Result<&'static resource::Entry<C>> {
        let entry = self.resources.iter().find(|entry| entry.declaration.token == token);
        entry.ok_or_else(|| Error::unsupported(format!("the provider has no resource `{token}`")))
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
        let entry = self.functions.iter().find(|entry| entry.declaration.token == token);
        entry.ok_or_else(|| Error::unsupported(format!("the provider has no function `{token}`")))
    }
}
