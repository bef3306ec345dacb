//! Resources, components and the provider.

use std::collections::BTreeMap;

use super::{node::Node, object::object_type, scope::Scope};
use crate::model::Resource;

/// The resource of this token.
pub(super) fn resource(node: &Node<'_>, token: &str, scope: &mut Scope<'_>) -> Resource {
    if !scope.is_object(node) {
        return Resource { token: token.to_owned(), ..Resource::default() };
    }
    if let Some(list_inputs) = node.member("listInputs") {
        object_type(&list_inputs, "properties", "required", scope);
    }
    Resource {
        token: token.to_owned(),
        inputs: object_type(node, "inputProperties", "requiredInputs", scope),
        outputs: object_type(node, "properties", "required", scope),
        state_inputs: node.member("stateInputs").map(|node| object_type(&node, "properties", "required", scope)),
        is_component: scope.flag(node, "isComponent"),
        aliases: aliases(node, scope),
        methods: methods(node, scope),
        deprecation: scope.text(node, "deprecationMessage"),
        ..Resource::default()
    }
}

/// An alias is a token, or an object with one in `type`; older schemas have aliases with a name or a project alone, which
/// are the engine's business.
fn aliases(node: &Node<'_>, scope: &mut Scope<'_>) -> Vec<String> {
    let Some(list) = node.member("aliases") else { return Vec::new() };
    if !list.json.is_array() {
        scope.report(&list, "expected an array");
    }
    let mut aliases = Vec::new();
    for alias in list.elements() {
        match alias.json.as_str() {
            Some(token) => aliases.push(token.to_owned()),
            None if scope.is_object(&alias) => aliases.extend(scope.text(&alias, "type")),
            None => {}
        }
    }
    aliases
}

fn methods(node: &Node<'_>, scope: &mut Scope<'_>) -> BTreeMap<String, String> {
    let mut methods = BTreeMap::new();
    let Some(members) = node.member("methods").filter(|members| scope.is_object(members)) else { return methods };
    for (name, member) in members.members() {
        let Some(token) = scope.string(&member) else { continue };
        if !scope.has_function(token) {
            scope.report(&member, format!("there is no function '{}'", token.escape_debug()));
        }
        methods.insert(name.to_owned(), token.to_owned());
    }
    methods
}
