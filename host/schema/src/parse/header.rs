//! What a package says about itself, beside what it offers.

use semver::Version;

use super::{
    case::is_read_as,
    node::Node,
    scope::Scope,
    tokens::{self, Token},
};
use crate::model::{BasePlugin, ModuleFormat, Package, ParameterKind, Parameterization, PatternError, PluginSource};

/// What may stand at the top of the document.
const MEMBERS: [&str; 25] = [
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
    "extensionParameterization",
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

/// The members of the document: which there are, and those that nothing is made of.
pub(super) fn members(node: &Node<'_>, scope: &mut Scope<'_>) {
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

/// The name, the version and the namespace.
pub(super) fn identity(node: &Node<'_>, package: &mut Package, scope: &mut Scope<'_>) {
    match node.member("name") {
        None => scope.report(node, "the package must have a `name`"),
        Some(name) => match scope.string(&name) {
            Some(text) if RESERVED.contains(&text) => {
                scope.report(&name, format!("'{text}' is a reserved name"));
            }
            Some(text) if text.len() > tokens::LONGEST => {
                scope.report(&name, format!("the name is longer than {} bytes", tokens::LONGEST));
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
    if let Some(version) = node.stated("version") {
        package.version = scope.string(&version).and_then(tokens::version);
        if version.json.as_str().is_some_and(|text| text.len() > tokens::LONGEST) {
            scope.report(&version, format!("the version is longer than {} bytes", tokens::LONGEST));
        } else if package.version.is_none() {
            scope.report_with(&version, "this isn't a semantic version", "write it as 1.2.3 or v1.2.3");
        }
    }
    if let Some(namespace) = node.stated("namespace") {
        package.namespace = scope.string(&namespace).filter(|text| tokens::is_namespace(text)).map(str::to_owned);
        if package.namespace.is_none() {
            scope.report(&namespace, "a namespace has lower-case letters, digits and single hyphens");
        }
    }
}

/// What the modules of all tokens may measure together where a format is matched with them, bytes: it may take two microseconds
/// for each.
const MATCHED: usize = 8 << 20;

/// How modules are named, and what generated packages support.
pub(super) fn meta(node: &Node<'_>, scope: &mut Scope<'_>) {
    let Some(meta) = node.member("meta").filter(|meta| scope.is_object(meta)) else { return };
    scope.closed(&meta, &["moduleFormat", "supportPack"]);
    if let Some(format) = meta.stated("moduleFormat") {
        scope.module_format = match scope.string(&format).map(ModuleFormat::new) {
            Some(Ok(format)) => Some(format),
            Some(Err(PatternError::Syntax(_))) => {
                scope.report(&format, "this isn't a regular expression");
                None
            }
            Some(Err(error)) => {
                scope.report(&format, error.to_string());
                None
            }
            None => None,
        };
        if scope.module_format.as_ref().is_some_and(|format| format.groups() != 1) {
            let hint = "it must have one group, which is the module that programs see";
            scope.notice(&format, "the format doesn't say which part of a module counts", hint);
        }
    }
    if let Some(format) = meta.stated("moduleFormat")
        && scope.module_format.as_ref().is_some_and(ModuleFormat::is_matched)
        && modules(node) > MATCHED
    {
        scope.module_format = None;
        scope.report(&format, format!("the tokens have modules of more than {} MiB to match with it", MATCHED >> 20));
    }
    if scope.flag(&meta, "supportPack") && scope.version.is_none() {
        scope.report(&meta, "a package that supports `pack` must have a `version`");
    }
}

/// What the modules of all tokens measure that a module format is matched with.
fn modules(node: &Node<'_>) -> usize {
    let sections = [node.member("resources"), node.member("functions")];
    let length = |section: &Node<'_>| {
        let modules = section.members().filter_map(|(token, _)| Some(Token::of(token)?.module.len()));
        modules.fold(0, usize::saturating_add)
    };
    sections.iter().flatten().map(length).fold(0, usize::saturating_add)
}

/// The packages that it builds on.
pub(super) fn dependencies(node: &Node<'_>, scope: &mut Scope<'_>) {
    report_ambiguous(node, &["dependencies"], scope);
    let Some(list) = node.member("dependencies") else { return };
    if list.json.as_array().is_none() {
        scope.report(&list, "expected an array");
    }
    for dependency in list.elements() {
        if scope.is_object(&dependency) {
            for (_, address) in dependency.members().filter(|(name, _)| PluginSource::is_named_by(name)) {
                scope.string(&address);
            }
            check_name_and_version(&dependency, false, scope);
            report_ambiguous(&dependency, &["name", "version", "parameterization"], scope);
            if let Some(parameterization) = dependency.member("parameterization") {
                check_name_and_version(&parameterization, true, scope);
                check_bytes(&parameterization, "value", true, scope);
                report_ambiguous(&parameterization, &["name", "version", "value"], scope);
            }
        }
    }
}

/// Reports members that engines take for one of these beside or in place of it. They read names in any case, and make one of what stands
/// there twice: what is said of a package here would be another one's there.
fn report_ambiguous(node: &Node<'_>, meant: &[&str], scope: &mut Scope<'_>) {
    for meant in meant {
        let named = node.members().filter(|(name, _)| is_read_as(name, meant));
        let mut seen = false;
        for (name, member) in named {
            if name != *meant || std::mem::replace(&mut seen, true) {
                let message = format!("'{}' is read as another `{meant}`", name.escape_debug());
                scope.report_with(&member, message, format!("write `{meant}`, once"));
            }
        }
    }
}

/// The addresses of plugins. Engines read names of members in any case.
pub(super) fn sources(node: &Node<'_>, name: &str) -> Vec<PluginSource> {
    let of = |node: &Node<'_>, package: &str| {
        let addresses = node.members().filter(|(name, _)| PluginSource::is_named_by(name));
        let texts = addresses.filter_map(|(_, address)| address.json.as_str().map(str::to_owned));
        texts.map(|from| PluginSource { package: package.to_owned(), from }).collect::<Vec<_>>()
    };
    let mut found = of(node, name);
    if let Some(dependencies) = node.member("dependencies") {
        for dependency in dependencies.elements() {
            let name = dependency.member("name").and_then(|name| name.json.as_str().map(str::to_owned));
            found.extend(of(&dependency, &name.unwrap_or_default()));
        }
    }
    found
}

fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len().saturating_sub(digits.len()) <= 2
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
}

/// Whether what a provider is given is there, if it must be, and in Base64.
fn check_bytes(node: &Node<'_>, name: &str, is_required: bool, scope: &mut Scope<'_>) {
    if is_required && node.member(name).is_none() {
        scope.report(node, format!("the `{name}` is missing"));
    }
    if scope.text(node, name).is_some_and(|text| !is_base64(&text)) {
        scope.report(node, format!("the `{name}` must be in Base64"));
    }
}

/// Whether a package is named, with a semantic version if it must have one.
fn check_name_and_version(node: &Node<'_>, is_versioned: bool, scope: &mut Scope<'_>) {
    let named = node.member("name").and_then(|name| name.json.as_str()).is_some_and(tokens::is_name);
    let version = node.member("version");
    let versioned = match &version {
        Some(_) => version_of(node).is_some(),
        None => !is_versioned,
    };
    if !named || !versioned {
        let message = "a package is given by its `name` and a semantic `version`";
        match version.and_then(|version| version.json.as_str()?.strip_prefix('v').and_then(tokens::strict_version)) {
            Some(version) => scope.report_with(node, message, format!("write {version}: engines read no `v` there")),
            None => scope.report(node, message),
        }
    }
}

/// The parameter that made it, if one did: in place of the provider's package, or beside it.
pub(super) fn parameterization(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Parameterization> {
    let replacing = parameter(node, "parameterization", ParameterKind::Replacement, scope);
    let extending = parameter(node, "extensionParameterization", ParameterKind::Extension, scope);
    if replacing.is_some() && extending.is_some() {
        let hint = "keep `parameterization` if it replaces the provider's package, the other if it extends it";
        scope.report_with(node, "a package has `parameterization` or `extensionParameterization`, not both", hint);
    }
    if extending.is_some()
        && let Some(provider) = node.member("provider")
    {
        scope.report(&provider, "a package that extends another has no provider of its own");
    }
    replacing.or(extending)
}

fn parameter(node: &Node<'_>, name: &str, kind: ParameterKind, scope: &mut Scope<'_>) -> Option<Parameterization> {
    let parameterization = node.member(name).filter(|member| scope.is_object(member))?;
    check_bytes(&parameterization, "parameter", kind == ParameterKind::Replacement, scope);
    if parameterization.member("baseProvider").is_none() {
        scope.report(&parameterization, "a parameterized package must have a `baseProvider`");
    }
    report_ambiguous(&parameterization, &["baseProvider", "parameter"], scope);
    let base = parameterization.member("baseProvider").filter(|base| scope.is_object(base))?;
    let mut plugin = None;
    match kind {
        ParameterKind::Replacement => scope.closed(&base, &["name", "version"]),
        ParameterKind::Extension => {
            scope.closed(&base, &["name", "version", "parameterization"]);
            if let Some(replaced) = base.member("parameterization") {
                plugin = base_parameter(&replaced, scope);
            }
        }
    }
    check_name_and_version(&base, true, scope);
    Some(Parameterization { kind, base: scope.text(&base, "name")?, version: version_of(&base), plugin })
}

fn version_of(node: &Node<'_>) -> Option<Version> {
    node.member("version").and_then(|version| version.json.as_str().and_then(tokens::strict_version))
}

/// How the provider that is extended was made of a plugin, if a parameter made it too.
fn base_parameter(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<BasePlugin> {
    if !scope.is_object(node) {
        return None;
    }
    scope.closed(node, &["basePlugin", "parameter"]);
    check_bytes(node, "parameter", false, scope);
    match node.member("basePlugin") {
        Some(plugin) if scope.is_object(&plugin) => {
            scope.closed(&plugin, &["name", "version"]);
            check_name_and_version(&plugin, true, scope);
            return Some(BasePlugin { name: scope.text(&plugin, "name")?, version: version_of(&plugin) });
        }
        Some(_) => {}
        None => scope.report(node, "a provider that a parameter made must have a `basePlugin`"),
    }
    None
}
