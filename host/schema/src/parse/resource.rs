//! Resources, components and the provider.

use std::collections::BTreeMap;

use super::{
    case,
    json::Json,
    node::Node,
    object::{anonymous_type, object_type},
    scope::Scope,
};
use crate::model::{ObjectType, Resource};

/// The resource of this token.
pub(super) fn resource(node: &Node<'_>, token: &str, scope: &mut Scope<'_>) -> Resource {
    if !scope.is_object(node) {
        return Resource { token: token.to_owned(), ..Resource::default() };
    }
    case::notice(node, case::RESOURCE, scope);
    if let Some(plain) = node.member("plainInputs") {
        scope.report_with(&plain, "a list of plain inputs isn't read any more", "say `plain` of each property's type");
    }
    let is_overlay = overlay(node, scope);
    let is_component = scope.flag(node, "isComponent");
    let outputs = object_type(node, "properties", "required", scope);
    reserved_outputs(node, &outputs, is_component, scope);
    Resource {
        token: token.to_owned(),
        inputs: object_type(node, "inputProperties", "requiredInputs", scope),
        state_inputs: state_inputs(node, scope),
        list_inputs: node.member("listInputs").map(|node| anonymous_type(&node, scope)),
        is_component,
        is_overlay,
        aliases: aliases(node, scope),
        methods: methods(node, token, &outputs, scope),
        outputs,
        deprecation: scope.stated(node, "deprecationMessage"),
        ..Resource::default()
    }
}

/// An alias is a token, or an object with one in `type`; older schemas have aliases with a name or a project alone, which
/// are the engine's business.
fn aliases(node: &Node<'_>, scope: &mut Scope<'_>) -> Vec<String> {
    let Some(list) = node.member("aliases") else { return Vec::new() };
    if list.json.as_array().is_none() {
        scope.report(&list, "expected an array");
    }
    let mut aliases = Vec::new();
    for alias in list.elements() {
        match alias.json.as_str() {
            Some("") => {}
            Some(token) => aliases.push(token.to_owned()),
            None if scope.is_object(&alias) => {
                for older in ["name", "project"] {
                    if scope.text(&alias, older).is_some() {
                        let message = format!("`{older}` of an alias isn't read any more");
                        scope.notice(&alias, message, "programs give such aliases themselves");
                    }
                }
                aliases.extend(scope.stated(&alias, "type"));
            }
            None => {}
        }
    }
    aliases
}

/// Whether a part of the package is written by hand, beside what else is said of how.
pub(super) fn overlay(node: &Node<'_>, scope: &mut Scope<'_>) -> bool {
    let is_overlay = scope.flag(node, "isOverlay");
    if let Some(languages) = node.member("overlaySupportedLanguages") {
        let known =
            |language: &String| ["nodejs", "python", "go", "csharp", "java", "yaml"].contains(&language.as_str());
        if !scope.strings(node, "overlaySupportedLanguages").iter().all(known) {
            scope.report(&languages, "there are nodejs, python, go, csharp, java and yaml");
        }
    }
    scope.prose(node, "description");
    if let Some(language) = node.member("language") {
        scope.is_object(&language);
    }
    is_overlay
}

fn state_inputs(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<ObjectType> {
    let member = node.member("stateInputs")?;
    let inputs = anonymous_type(&member, scope);
    if inputs.properties.contains_key("id") {
        scope.report(&member, "'id' is a reserved name here: it is always given");
    }
    Some(inputs)
}

/// Names that every resource has already. Published schemas have such outputs, so they are accepted.
fn reserved_outputs(node: &Node<'_>, outputs: &ObjectType, is_component: bool, scope: &mut Scope<'_>) {
    let Some(properties) = node.member("properties") else { return };
    for name in ["id", "urn"] {
        if outputs.properties.contains_key(name)
            && !(is_component && name == "id")
            && let Some(property) = properties.member(name)
        {
            scope.notice(&property, format!("every resource has '{name}' already"), "leave it out, or rename it");
        }
    }
}

/// Methods are functions whose tokens and first arguments say of which resource they are.
fn methods(node: &Node<'_>, resource: &str, outputs: &ObjectType, scope: &mut Scope<'_>) -> BTreeMap<String, String> {
    let mut methods = BTreeMap::new();
    let Some(members) = node.member("methods").filter(|members| scope.is_object(members)) else { return methods };
    if let Some(name) = members.json.as_object().and_then(|members| members.iter().find(|(_, json)| json.is_null())) {
        scope.report(&members, format!("method '{}' is null", name.0.escape_debug()));
    }
    for (name, member) in members.members() {
        let Some(token) = scope.string(&member) else { continue };
        let Some(function) = scope.function(token) else {
            scope.report(&member, format!("there is no function '{}'", token.escape_debug()));
            continue;
        };
        if !scope.methods.insert(token.to_owned()) {
            scope.report(&member, format!("function '{}' is a method already", token.escape_debug()));
            continue;
        }
        let takes_self = first_argument(function) == Some("__self__");
        if token.rsplit_once('/').is_none_or(|(owner, _)| owner != resource) {
            let hint = format!("its token must be {}/NAME", resource.escape_debug());
            scope.report_with(&member, format!("function '{}' is of another resource", token.escape_debug()), hint);
        } else if !takes_self {
            let hint = "the first of its inputs must be `__self__`, the resource that it is called on";
            scope.report_with(&member, format!("function '{}' isn't a method", token.escape_debug()), hint);
        }
        if outputs.properties.contains_key(name) {
            scope.report(&member, "there is a property of the same name");
        }
        methods.insert(name.to_owned(), token.to_owned());
    }
    methods
}

/// The argument of a function that comes first, which generated code relies on: by the order that it gives, or else where
/// names are sorted.
fn first_argument<'d>(function: &'d Json<'_>) -> Option<&'d str> {
    let arguments = function.get("inputs")?.get("properties")?.as_object()?;
    let order = function.get("multiArgumentInputs").and_then(Json::as_array).unwrap_or_default();
    match order.first() {
        Some(first) => first.as_str().filter(|name| arguments.get(name).is_some()),
        None => arguments.names().min(),
    }
}
