//! The document as a whole.

use std::collections::BTreeMap;

use super::{
    collisions, cycles,
    error::SchemaError,
    function::function,
    json::Json,
    node::Node,
    object,
    resource::resource,
    scope::Scope,
    tokens::{self, Token},
    types::definition,
};
use crate::model::{ModuleFormat, ObjectType, Package, Resource};

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

/// Comments, which JSON has no other place for.
const COMMENT: &str = "//";

/// Members that were renamed, and what they are called now.
const RENAMED: [(&str, &str); 1] = [("pluginDownloadUrl", "pluginDownloadURL")];

/// Names that no package may have.
const RESERVED: [&str; 2] = ["pulumi", "input"];

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
    let document = Json::parse(json)?;
    let mut scope = Scope::new(&document);
    let package = read(&Node::root(&document), &mut scope);
    match scope.problems {
        problems if problems.is_empty() => Ok(Package { notices: scope.notices, ..package }),
        problems => Err(SchemaError::Problems(problems)),
    }
}

fn read(node: &Node<'_>, scope: &mut Scope<'_>) -> Package {
    let mut package = Package::default();
    if !scope.is_object(node) {
        return package;
    }
    members(node, scope);
    identity(node, &mut package, scope);
    scope.version.clone_from(&package.version);
    meta(node, scope);
    parameterization(node, scope);
    dependencies(node, scope);
    scope.allowed = scope.strings(node, "allowedPackageNames");
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
    package
}

/// The members of the document: which there are, and those that nothing is made of.
fn members(node: &Node<'_>, scope: &mut Scope<'_>) {
    let known = [MEMBERS.as_slice(), &MORE_MEMBERS, &[COMMENT]].concat();
    let renamed = RENAMED.map(|(older, _)| older);
    scope.closed(node, &[known.as_slice(), &renamed].concat());
    for (older, name) in RENAMED {
        if let Some(member) = node.member(older) {
            scope.notice(&member, format!("`{older}` is an older spelling"), format!("write `{name}`"));
        }
        scope.prose(node, older);
    }
    for name in TEXTS {
        scope.prose(node, name);
    }
    scope.strings(node, "keywords");
    if let Some(language) = node.member("language") {
        scope.is_object(&language);
    }
}

fn identity(node: &Node<'_>, package: &mut Package, scope: &mut Scope<'_>) {
    match node.member("name") {
        None => scope.report(node, "the package must have a `name`"),
        Some(name) => match scope.string(&name) {
            Some(text) if RESERVED.contains(&text) => {
                scope.report(&name, format!("'{text}' is a reserved name"));
            }
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
        scope.module_format = match scope.string(&format).map(ModuleFormat::new) {
            Some(Ok(format)) => Some(format),
            Some(Err(_)) => {
                scope.report(&format, "this isn't a regular expression");
                None
            }
            None => None,
        };
        if scope.module_format.as_ref().is_some_and(|format| format.groups() != 1) {
            let hint = "it must have one group, which is the module that programs see";
            scope.notice(&format, "the format doesn't say which part of a module counts", hint);
        }
    }
    if scope.flag(&meta, "supportPack") && scope.version.is_none() {
        scope.report(&meta, "a package that supports `pack` must have a `version`");
    }
}

fn dependencies(node: &Node<'_>, scope: &mut Scope<'_>) {
    let Some(list) = node.member("dependencies") else { return };
    if list.json.as_array().is_none() {
        scope.report(&list, "expected an array");
    }
    for dependency in list.elements() {
        if scope.is_object(&dependency) {
            scope.prose(&dependency, "pluginDownloadURL");
            check_name_and_version(&dependency, false, scope);
            if let Some(parameterization) = dependency.member("parameterization") {
                check_name_and_version(&parameterization, true, scope);
            }
        }
    }
}

fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len().saturating_sub(digits.len()) <= 2
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
}

/// Whether a package is named, with a semantic version if it must have one.
fn check_name_and_version(node: &Node<'_>, is_versioned: bool, scope: &mut Scope<'_>) {
    let named = node.member("name").and_then(|name| name.json.as_str()).is_some_and(tokens::is_name);
    let version = node.member("version");
    let versioned = match &version {
        Some(version) => version.json.as_str().and_then(tokens::version).is_some(),
        None => !is_versioned,
    };
    if !named || !versioned {
        scope.report(node, "a package is given by its `name` and a semantic `version`");
    }
}

fn parameterization(node: &Node<'_>, scope: &mut Scope<'_>) {
    let Some(parameterization) = node.member("parameterization").filter(|member| scope.is_object(member)) else {
        return;
    };
    let parameter = scope.text(&parameterization, "parameter");
    if parameter.is_some_and(|parameter| !is_base64(&parameter)) {
        scope.report(&parameterization, "the `parameter` must be in Base64");
    }
    if parameterization.member("baseProvider").is_none() {
        scope.report(&parameterization, "a parameterized package must have a `baseProvider`");
    }
    if let Some(base) = parameterization.member("baseProvider").filter(|base| scope.is_object(base)) {
        scope.closed(&base, &["name", "version"]);
        check_name_and_version(&base, true, scope);
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
    if tokens::is_name(scope.name)
        && package != scope.name
        && !of_provider
        && !scope.allowed.iter().any(|allowed| allowed == package)
    {
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
fn aliases(resources: &BTreeMap<String, Resource>) -> BTreeMap<String, String> {
    let mut aliases = BTreeMap::new();
    for (token, resource) in resources {
        for alias in &resource.aliases {
            aliases.entry(alias.clone()).or_insert_with(|| token.clone());
        }
    }
    aliases
}
