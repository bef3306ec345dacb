//! Functions.

use std::collections::BTreeSet;

use super::{case, node::Node, object, resource::overlay, scope::Scope, types};
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
    function.inputs = node.member("inputs").map(|inputs| object::anonymous_type(&inputs, scope));
    function.positional = scope.strings(node, "multiArgumentInputs");
    check_positions(node, &function, scope);
    if let Some(older) = node.member("returnType") {
        scope.notice(&older, "`returnType` isn't read any more", "write `outputs`");
    }
    if let Some(returns) = node.member("outputs") {
        // With nothing in it, it is an object that has nothing in it. With anything else, it is a type.
        let is_empty = returns.json.as_object().is_none_or(|members| members.names().next().is_none());
        function.outputs = if returns.member("properties").is_some() || is_empty {
            Returns::Object(object::result_type(&returns, scope))
        } else {
            case::notice(&returns, case::RESULT, scope);
            types::nested(&returns, scope).map_or(Returns::Nothing, Returns::Type)
        };
    }
    function.is_overlay = overlay(node, scope);
    scope.flag(node, "plain");
    function.deprecation = scope.stated(node, "deprecationMessage");
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
