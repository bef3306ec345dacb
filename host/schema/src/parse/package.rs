//! The document as a whole.

use std::collections::BTreeMap;

use super::{
    collisions, cycles,
    error::{Problem, SchemaError},
    examination::Examination,
    function::function,
    header,
    json::{Json, Members},
    node::Node,
    object,
    resource::resource,
    scope::Scope,
    tokens::{self, Token},
    types::definition,
};
use crate::{
    labour::labour,
    model::{ObjectType, Package, Resource, Section},
};

/// The most that a schema may measure, bytes. The largest that is published has 77 MB.
const LARGEST: usize = 256 << 20;

/// The most that a token may measure, bytes: tokens are compared with each other, and matched with a format.
pub(super) const LONGEST_TOKEN: usize = 1_024;

/// Reads a package.
pub(crate) fn package(json: &[u8]) -> Result<Package, SchemaError> {
    let Examination { package, problems, notices } = examine(json)?;
    if problems.is_empty() { Ok(Package { notices, ..package }) } else { Err(SchemaError::Problems(problems)) }
}

/// Reads as much of a package as can be read.
pub(super) fn examine(json: &[u8]) -> Result<Examination, SchemaError> {
    if json.len() > LARGEST {
        let message = format!("the schema has more than {} MiB", LARGEST >> 20);
        let problem = Problem { location: "#".to_owned(), message, hint: None };
        return Ok(Examination { problems: vec![problem], ..Examination::default() });
    }
    let document = Json::parse(json)?;
    let mut scope = Scope::new(&document);
    let package = read(&Node::root(&document), &mut scope);
    Ok(Examination { package, problems: scope.problems, notices: scope.notices })
}

fn read(node: &Node<'_>, scope: &mut Scope<'_>) -> Package {
    let mut package = Package::default();
    if !scope.is_object(node) {
        return package;
    }
    header::members(node, scope);
    header::identity(node, &mut package, scope);
    scope.version.clone_from(&package.version);
    header::meta(node, scope);
    package.parameterization = header::parameterization(node, scope);
    header::dependencies(node, scope);
    package.sources = header::sources(node, &package.name);
    scope.allowed = scope.strings(node, "allowedPackageNames").into_iter().collect();
    section(node, "types", tokens::is_type_token, scope, |token, node, scope| {
        package.types.extend(definition(node, scope).map(|definition| (token.to_owned(), definition)));
    });
    if let Some(types) = node.member("types") {
        cycles::report(&types, &package.types, scope);
    }
    section(node, "resources", tokens::is_type_token, scope, |token, node, scope| {
        package.resources.insert(token.to_owned(), resource(node, token, scope));
    });
    section(node, "functions", tokens::is_function_token, scope, |token, node, scope| {
        package.functions.insert(token.to_owned(), function(node, token, scope));
    });
    package.provider = provider(node, &package.name, scope);
    package.configuration = configuration(node, &package.provider, scope);
    package.aliases = aliases(&package.resources);
    collisions::report(node, scope);
    package.module_format = scope.module_format.take();
    package.coerces = scope.coerces;
    package.labour = labour(&package);
    package
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
    let nulls = section.json.as_object().into_iter().flat_map(Members::iter).filter(|(_, json)| json.is_null());
    for (token, _) in nulls.filter(|_| name == "types") {
        scope.report(&section, format!("type '{}' is null", token.escape_debug()));
    }
    for (token, entry) in section.members() {
        if token.len() > LONGEST_TOKEN {
            scope.report(&entry, format!("the token is longer than {LONGEST_TOKEN} bytes"));
            continue;
        }
        if !is_token(token) {
            // That of a resource may be empty as well, but is none that anybody should write.
            let hint = match name {
                "resources" => "a token is package:module:Name",
                _ => "a token is package:module:Name; the module may be empty",
            };
            scope.report_with(&entry, format!("'{}' isn't a token", token.escape_debug()), hint);
        }
        if !tokens::is_printable(token) {
            scope.report(&entry, "a token has neither spaces nor characters that nobody sees");
        }
        if let Some(parts) = Token::of(token) {
            check_token(parts, &entry, name == "functions", scope);
        }
        read(token, &entry, scope);
    }
}

/// Tokens are of this package, or of another that it says it has tokens of, and leave the names alone that generated code
/// has already.
fn check_token(token: Token<'_>, entry: &Node<'_>, is_function: bool, scope: &mut Scope<'_>) {
    let Token { package, module, name } = token;
    let of_provider = is_function && package == "pulumi" && module == "providers";
    if tokens::is_name(scope.name) && package != scope.name && !of_provider && !scope.allowed.contains(package) {
        let hint = "it must start with the package's name, or with one in `allowedPackageNames`";
        scope.report_with(entry, format!("the token is of another package, '{}'", package.escape_debug()), hint);
    }
    let is_root = module.is_empty() || module.eq_ignore_ascii_case("index");
    if is_root && name.eq_ignore_ascii_case("provider") || name == object::RESERVED {
        scope.report(entry, format!("'{}' is a reserved name", name.escape_debug()));
    }
    // Matching takes time, and most tokens are elsewhere.
    if module.contains("index/")
        && let format = scope.module_format.as_ref()
        && format.and_then(|format| format.seen(module)).unwrap_or(module).starts_with("index/")
    {
        scope.report(entry, "there are no modules inside of the module `index`");
    }
}

fn provider(node: &Node<'_>, package: &str, scope: &mut Scope<'_>) -> Resource {
    let token = format!("pulumi:providers:{package}");
    let Some(provider) = node.member("provider") else { return Resource { token, ..Resource::default() } };
    let resource = resource(&provider, &token, scope);
    if let Some(properties) = provider.member("inputProperties")
        && let Some(version) = properties.member("version")
    {
        scope.report(&version, "'version' is a reserved name here: engines put the provider's version there");
    }
    resource
}

/// The variables of `config`, and over them the inputs of `provider`: both describe the same bag, and generators fill
/// one or the other.
///
/// `config.defaults` isn't looked at: the metaschema has it list what isn't required, and generators what is.
fn configuration(node: &Node<'_>, provider: &Resource, scope: &mut Scope<'_>) -> ObjectType {
    let mut configuration = ObjectType::default();
    if let Some(config) = node.member("config").filter(|config| scope.is_object(config)) {
        scope.closed(&config, &["variables", "defaults", "required"]);
        if let Some(variables) = config.member("variables") {
            configuration.properties = object::properties(&variables, scope);
        }
        object::required_names(&config, "defaults", &configuration.properties, scope);
        configuration.required = object::required_names(&config, "required", &configuration.properties, scope);
        if let Some(required) = config.member("required") {
            let hint = "list what is required in `requiredInputs` of the provider";
            scope.notice(&required, "`required` isn't read any more in `config`", hint);
        }
    }
    for (name, property) in &provider.inputs.properties {
        let secret = configuration.properties.get(name).is_some_and(|variable| variable.secret);
        let mut property = property.clone();
        property.secret |= secret;
        configuration.properties.insert(name.clone(), property);
    }
    configuration.required.extend(provider.inputs.required.iter().cloned());
    configuration
}

/// The first resource that claims an alias has it.
fn aliases(resources: &Section<Resource>) -> BTreeMap<String, String> {
    let mut aliases = BTreeMap::new();
    for (token, resource) in resources {
        for alias in &resource.aliases {
            aliases.entry(alias.clone()).or_insert_with(|| token.clone());
        }
    }
    aliases
}
