//! Functions.

use std::collections::BTreeSet;

use super::{node::Node, object::object_type, resource::overlay, scope::Scope, types};
use crate::model::{Function, Returns};

/// The function of this token.
pub(super) fn function(node: &Node<'_>, token: &str, scope: &mut Scope<'_>) -> Function {
    let mut function = Function {
        token: token.to_owned(),
        inputs: None,
        outputs: Returns::Nothing,
        positional: Vec::new(),
        is_overlay: false,
        deprecation: None,
    };
    if !scope.is_object(node) {
        return function;
    }
    function.inputs = node.member("inputs").map(|inputs| object_type(&inputs, "properties", "required", scope));
    function.positional = scope.strings(node, "multiArgumentInputs");
    check_positions(node, &function, scope);
    // `returnType` is what `outputs` was called for a while; the latter wins, as upstream.
    let returns = node.member("outputs").or_else(|| node.member("returnType"));
    if let Some(returns) = returns {
        // Neither a type nor properties: an object that has none.
        let is_type = ["type", "$ref", "oneOf"].iter().any(|name| returns.member(name).is_some());
        function.outputs = if returns.member("properties").is_some() || !is_type {
            Returns::Object(object_type(&returns, "properties", "required", scope))
        } else {
            types::ty(&returns, scope).map_or(Returns::Nothing, Returns::Type)
        };
    }
    function.is_overlay = overlay(node, scope);
    scope.flag(node, "plain");
    function.deprecation = scope.text(node, "deprecationMessage");
    function
}

/// Arguments by position are all arguments or none.
fn check_positions(node: &Node<'_>, function: &Function, scope: &mut Scope<'_>) {
    let Some(list) = node.member("multiArgumentInputs").filter(|_| !function.positional.is_empty()) else { return };
    let Some(inputs) = &function.inputs else {
        scope.report(&list, "a function without inputs has no arguments to put in order");
        return;
    };
    for name in function.positional.iter().filter(|name| !inputs.properties.contains_key(*name)) {
        scope.report(&list, format!("there is no input '{}'", name.escape_debug()));
    }
    let positional: BTreeSet<&String> = function.positional.iter().collect();
    for name in inputs.properties.keys().filter(|name| !positional.contains(name)) {
        scope.report(&list, format!("input '{}' has no position", name.escape_debug()));
    }
}
