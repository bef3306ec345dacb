//! What a `$ref` refers to.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use semver::{BuildMetadata, Version};

use super::{
    node::Node,
    scope::{Named, Scope},
    tokens,
};
use crate::model::Type;

/// The type that a `$ref` names. Types and resources of this package must exist. The schemas of others aren't at hand: their types
/// are taken for any value, and their resources are resources, whatever those have.
pub(super) fn reference(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Type> {
    let text = scope.string(node)?;
    let (document, fragment) = text.split_once('#').unwrap_or((text, ""));
    match document {
        "pulumi.json" => built_in(node, fragment, scope),
        document if document.is_empty() || is_own(document, scope) => local(node, &clean(fragment), scope),
        document => external(node, document, &clean(fragment), scope),
    }
}

/// A path without what leads nowhere: empty steps, `.`, and `..` with what it takes back.
fn clean(path: &str) -> Cow<'_, str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    if !path.contains("//") && !path.contains("/.") && !path.starts_with(['/', '.']) && !path.ends_with('/') {
        return Cow::Borrowed(path);
    }
    let mut steps = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    Cow::Owned(steps.join("/"))
}

/// Whether a property is of a type of another package, or may be.
pub(super) fn is_foreign(property: &Node<'_>, scope: &Scope<'_>) -> bool {
    let refers = |node: &Node<'_>| {
        let text = node.stated("$ref").and_then(|target| target.json.as_str());
        let document = text.map(|text| text.split_once('#').map_or(text, |(document, _)| document));
        document.is_some_and(|document| !matches!(document, "" | "pulumi.json") && !is_own(document, scope))
    };
    let variants = property.member("oneOf");
    refers(property) || variants.is_some_and(|variants| variants.elements().any(|variant| refers(&variant)))
}

fn built_in(node: &Node<'_>, fragment: &str, scope: &mut Scope<'_>) -> Option<Type> {
    Some(match fragment {
        "/Archive" => Type::Archive,
        "/Asset" => Type::Asset,
        "/Any" => Type::Any,
        "/Json" => Type::Json,
        _ => {
            let hint = "there are pulumi.json#/Archive, #/Asset, #/Any and #/Json";
            scope.report_with(node, "unknown built-in type", hint);
            return None;
        }
    })
}

/// A document is this one if it names this package in this version.
fn is_own(document: &str, scope: &Scope<'_>) -> bool {
    match schema_document(document) {
        Some((name, version)) => {
            // A package without a version is every version of itself, and how it was built makes none of them another.
            let built = |version: Version| Version { build: BuildMetadata::EMPTY, ..version };
            let version = tokens::lenient_version(version).map(built);
            name == scope.name && (scope.version.is_none() || version == scope.version.clone().map(built))
        }
        None => false,
    }
}

/// The package and the version in `/PACKAGE/vVERSION/schema.json`, with or without a host before it.
fn schema_document(document: &str) -> Option<(&str, &str)> {
    let document = document.split_once('?').map_or(document, |(document, _)| document);
    let after_scheme = document.split_once("://").map(|(_, rest)| rest);
    let path = match after_scheme.or_else(|| document.strip_prefix("//")) {
        Some(rest) => rest.split_once('/')?.1,
        None => document.strip_prefix('/').unwrap_or(document),
    };
    let (name, version) = path.strip_suffix("/schema.json")?.split_once('/')?;
    let is_version = version.starts_with('v') && tokens::lenient_version(version).is_some();
    (tokens::is_name(name) && is_version).then_some((name, version))
}

fn external(node: &Node<'_>, document: &str, fragment: &str, scope: &mut Scope<'_>) -> Option<Type> {
    let named = match (schema_document(document), fragment.split_once('/')) {
        (Some(_), Some(("types", _))) => return Some(Type::Any),
        (Some(_), Some(("resources", token))) => {
            percent_decode_str(token).decode_utf8().ok().map(|token| token.into_owned())
        }
        (Some((package, _)), None) if fragment == "provider" => Some(format!("pulumi:providers:{package}")),
        _ => None,
    };
    if named.is_none() {
        let hint = "a type of another package is /PACKAGE/vX.Y.Z/schema.json#/types/TOKEN";
        scope.report_with(node, format!("invalid reference '{}'", shortened(document)), hint);
    }
    named.map(Type::Resource)
}

fn local(node: &Node<'_>, fragment: &str, scope: &mut Scope<'_>) -> Option<Type> {
    // Tokens have slashes, and early generators didn't escape them.
    let (section, token) = fragment.split_once('/').unwrap_or((fragment, ""));
    let Ok(token) = percent_decode_str(token).decode_utf8() else {
        scope.report(node, "the token in the reference isn't UTF-8");
        return None;
    };
    match section {
        "types" => match scope.named_type(&token) {
            Some(Named::Object) => Some(Type::Object(token.into_owned())),
            Some(Named::Enum) => Some(Type::Enum(token.into_owned())),
            None => dangling(node, "type", "types", &token, scope),
        },
        "resources" if scope.has_resource(&token) => {
            if token.starts_with("pulumi:providers:") {
                scope.notice(node, "the provider isn't among the resources", "write #/provider");
                return own_provider(node, scope);
            }
            Some(Type::Resource(token.into_owned()))
        }
        "resources" => dangling(node, "resource", "resources", &token, scope),
        "provider" if token.is_empty() => own_provider(node, scope),
        _ => {
            let hint = "a reference is #/types/TOKEN, #/resources/TOKEN or #/provider";
            scope.report_with(node, "invalid reference", hint);
            None
        }
    }
}

fn own_provider(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Type> {
    if scope.extends() {
        scope.report(node, "a package that extends another has no provider of its own");
        return None;
    }
    Some(Type::Resource(format!("pulumi:providers:{}", scope.name)))
}

/// The object type of this package that a discriminator leads to: by its token, or by a reference.
pub(super) fn variant(text: &str, scope: &Scope<'_>) -> Option<String> {
    let (document, fragment) = text.split_once('#').unwrap_or(("", text));
    if !document.is_empty() && !is_own(document, scope) {
        return None;
    }
    let path = fragment.strip_prefix('/').unwrap_or(fragment);
    let token = percent_decode_str(path.strip_prefix("types/").unwrap_or(path)).decode_utf8().ok()?;
    (scope.named_type(&token) == Some(Named::Object)).then(|| token.into_owned())
}

fn dangling(node: &Node<'_>, what: &str, section: &str, token: &str, scope: &mut Scope<'_>) -> Option<Type> {
    let message = format!("there is no {what} '{}'", shortened(token));
    match scope.nearest_token(section, token) {
        Some(nearest) => scope.report_with(node, message, format!("did you mean '{nearest}'?")),
        None => scope.report(node, message),
    }
    None
}

/// A name that somebody else wrote, fit for a message.
fn shortened(name: &str) -> String {
    name.escape_debug().take(200).collect()
}
