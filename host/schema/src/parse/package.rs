//! The document as a whole.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::Value as Json;

use super::{
    error::SchemaError, function::function, node::Node, object, resource::resource, scope::Scope, tokens,
    types::definition,
};
use crate::model::{ObjectType, Package, Resource};

/// What may stand at the top of the document.
const MEMBERS: [&str; 24] = [
    "name",
    "displayName",
    "version",
    "description",
    "keywords",
    "homepage",
    "license",
    "attribution",
    "repository",
    "logoUrl",
    "pluginDownloadURL",
    "configurationDocsUrl",
    "validateCredentialsOnNew",
    "publisher",
    "namespace",
    "meta",
    "config",
    "types",
    "dependencies",
    "provider",
    "resources",
    "functions",
    "language",
    "parameterization",
];

/// Later additions, which the metaschema has in other places.
const MORE_MEMBERS: [&str; 2] = ["allowedPackageNames", "$schema"];

/// Those of the members that are prose.
const TEXTS: [&str; 10] = [
    "displayName",
    "description",
    "homepage",
    "license",
    "attribution",
    "repository",
    "logoUrl",
    "pluginDownloadURL",
    "configurationDocsUrl",
    "publisher",
];

/// Reads a package.
pub(crate) fn package(json: &[u8]) -> Result<Package, SchemaError> {
    let document: Json = serde_json::from_slice(json)?;
    let mut scope = Scope::new(&document);
    let package = read(&Node::root(&document), &mut scope);
    match scope.problems {
        problems if problems.is_empty() => Ok(package),
        problems => Err(SchemaError::Problems(problems)),
    }
}

fn read(node: &Node<'_>, scope: &mut Scope<'_>) -> Package {
    let mut package = Package::default();
    if !scope.is_object(node) {
        return package;
    }
    scope.closed(node, &[MEMBERS.as_slice(), &MORE_MEMBERS].concat());
    for name in TEXTS {
        scope.text(node, name);
    }
    identity(node, &mut package, scope);
    scope.version.clone_from(&package.version);
    meta(node, scope);
    parameterization(node, scope);
    section(node, "types", tokens::is_type_token, scope, |token, node, scope| {
        package.types.extend(definition(node, scope).map(|definition| (token.to_owned(), definition)));
    });
    section(node, "resources", tokens::is_type_token, scope, |token, node, scope| {
        package.resources.insert(token.to_owned(), resource(node, token, scope));
    });
    section(node, "functions", tokens::is_function_token, scope, |token, node, scope| {
        package.functions.insert(token.to_owned(), function(node, token, scope));
    });
    package.provider = provider(node, &package.name, scope);
    package.configuration = configuration(node, &package.provider, scope);
    package.aliases = aliases(&package.resources);
    package
}

fn identity(node: &Node<'_>, package: &mut Package, scope: &mut Scope<'_>) {
    match node.member("name") {
        None => scope.report(node, "the package must have a `name`"),
        Some(name) => match scope.string(&name) {
            Some(text) if tokens::is_name(text) => package.name = text.to_owned(),
            Some(_) => scope.report_with(
                &name,
                "this isn't a package name",
                "it starts with a letter and has letters, digits, `-` and `_`",
            ),
            None => {}
        },
    }
    if let Some(version) = node.member("version") {
        package.version = scope.string(&version).and_then(tokens::version);
        if package.version.is_none() {
            scope.report_with(&version, "this isn't a semantic version", "write it as 1.2.3 or v1.2.3");
        }
    }
    if let Some(namespace) = node.member("namespace") {
        package.namespace = scope.string(&namespace).filter(|text| tokens::is_namespace(text)).map(str::to_owned);
        if package.namespace.is_none() {
            scope.report(&namespace, "a namespace has lower-case letters, digits and single hyphens");
        }
    }
}

fn meta(node: &Node<'_>, scope: &mut Scope<'_>) {
    let Some(meta) = node.member("meta").filter(|meta| scope.is_object(meta)) else { return };
    scope.closed(&meta, &["moduleFormat", "supportPack"]);
    if let Some(format) = meta.member("moduleFormat") {
        let compiled = scope.string(&format).map(Regex::new);
        if matches!(compiled, Some(Err(_))) {
            scope.report(&format, "this isn't a regular expression");
        }
    }
}

fn parameterization(node: &Node<'_>, scope: &mut Scope<'_>) {
    let Some(parameterization) = node.member("parameterization").filter(|member| scope.is_object(member)) else {
        return;
    };
    scope.text(&parameterization, "parameter");
    if let Some(base) = parameterization.member("baseProvider").filter(|base| scope.is_object(base)) {
        scope.closed(&base, &["name", "version"]);
        let named = base.member("name").and_then(|name| name.json.as_str()).is_some_and(tokens::is_name);
        let version = base.member("version").and_then(|version| tokens::version(version.json.as_str()?));
        if !named || version.is_none() {
            scope.report(&base, "the base provider must have a `name` and a semantic `version`");
        }
    }
}

/// Reads every entry of a section whose keys are tokens.
fn section(
    node: &Node<'_>,
    name: &str,
    is_token: fn(&str) -> bool,
    scope: &mut Scope<'_>,
    mut read: impl FnMut(&str, &Node<'_>, &mut Scope<'_>),
) {
    let Some(section) = node.member(name).filter(|section| scope.is_object(section)) else { return };
    for (token, entry) in section.members() {
        if !is_token(token) {
            scope.report_with(
                &entry,
                format!("'{}' isn't a token", token.escape_debug()),
                "a token is package:module:Name; the module may be empty",
            );
        }
        read(token, &entry, scope);
    }
}

fn provider(node: &Node<'_>, package: &str, scope: &mut Scope<'_>) -> Resource {
    let token = format!("pulumi:providers:{package}");
    let Some(provider) = node.member("provider") else { return Resource { token, ..Resource::default() } };
    resource(&provider, &token, scope)
}

/// The variables of `config`, and over them the inputs of `provider`: both describe the same bag, and generators fill
/// one or the other.
///
/// `config.defaults` isn't looked at: the metaschema has it list what isn't required, and generators what is.
fn configuration(node: &Node<'_>, provider: &Resource, scope: &mut Scope<'_>) -> ObjectType {
    let mut configuration = ObjectType::default();
    if let Some(config) = node.member("config").filter(|config| scope.is_object(config)) {
        scope.closed(&config, &["variables", "defaults"]);
        scope.strings(&config, "defaults");
        if let Some(variables) = config.member("variables") {
            configuration.properties = object::properties(&variables, scope);
        }
    }
    for (name, property) in &provider.inputs.properties {
        let secret = configuration.properties.get(name).is_some_and(|variable| variable.secret);
        let mut property = property.clone();
        property.secret |= secret;
        configuration.properties.insert(name.clone(), property);
    }
    configuration.required.clone_from(&provider.inputs.required);
    configuration
}

/// The first resource that claims an alias has it.
fn aliases(resources: &BTreeMap<String, Resource>) -> BTreeMap<String, String> {
    let mut aliases = BTreeMap::new();
    for (token, resource) in resources {
        for alias in &resource.aliases {
            aliases.entry(alias.clone()).or_insert_with(|| token.clone());
        }
    }
    aliases
}
