//! Object types and properties.

use std::collections::{BTreeMap, BTreeSet};

use bulkhead_value::Segment;

use super::{case, facts, literal, node::Node, reference, resource::overlay, scope::Scope, tokens, types};
use crate::model::{DefaultInfo, ObjectType, Property, Type};

/// The object type whose properties and required names stand in these members.
pub(super) fn object_type(node: &Node<'_>, properties: &str, required: &str, scope: &mut Scope<'_>) -> ObjectType {
    if properties == "properties" && node.member("plain").is_some_and(|plain| plain.json.as_array().is_none()) {
        scope.strings(node, "plain");
    }
    members(node, properties, required, scope)
}

/// The object type of a function's arguments, or of what a resource is looked up by.
pub(super) fn anonymous_type(node: &Node<'_>, scope: &mut Scope<'_>) -> ObjectType {
    case::notice(node, case::OBJECT, scope);
    overlay(node, scope);
    object_type(node, "properties", "required", scope)
}

/// The object type of a function's result, all of which may be `plain`.
pub(super) fn result_type(node: &Node<'_>, scope: &mut Scope<'_>) -> ObjectType {
    case::notice(node, case::OBJECT, scope);
    overlay(node, scope);
    members(node, "properties", "required", scope)
}

fn members(node: &Node<'_>, properties: &str, required: &str, scope: &mut Scope<'_>) -> ObjectType {
    let mut object = ObjectType::default();
    if !scope.is_object(node) {
        return object;
    }
    if let Some(members) = node.member(properties) {
        object.properties = self::properties(&members, scope);
    }
    if properties == "properties" {
        scope.prose(node, "type");
    }
    // Once a list of the names of plain properties.
    let plain = node.member("plain").filter(|_| properties == "properties");
    if let Some(plain) = plain.filter(|plain| plain.json.as_array().is_some_and(|names| !names.is_empty())) {
        let hint = "say `plain` of each property's type";
        scope.report_with(&plain, "a list of plain properties isn't read any more", hint);
    }
    object.required = required_names(node, required, &object.properties, scope);
    object
}

/// The properties that an object describes.
pub(super) fn properties(node: &Node<'_>, scope: &mut Scope<'_>) -> BTreeMap<String, Box<Property>> {
    let mut found = BTreeMap::new();
    if scope.is_object(node) {
        if let Some(name) = node.json.as_object().and_then(|members| members.iter().find(|(_, json)| json.is_null())) {
            scope.report(node, format!("property '{}' is null", name.0.escape_debug()));
        }
        for (name, member) in node.members() {
            check_name(name, &member, scope);
            // A property whose type is wrong stays known, or its name would be reported too wherever it is required.
            found.insert(name.to_owned(), Box::new(property(&member, scope)));
        }
    }
    for (name, member) in node.members() {
        facts::check_siblings(&member, name, &found, scope);
    }
    found
}

/// Names are part of programs: they can be seen, and don't clash with what every program has.
fn check_name(name: &str, node: &Node<'_>, scope: &mut Scope<'_>) {
    if !tokens::is_printable(name) {
        scope.report(node, "a property's name has neither spaces nor control characters");
    }
    // What changes in it, engines are told by its path, and give up on one that they can't read.
    if name.ends_with('\\') && !Segment::Field(name.to_owned()).can_be_written() {
        scope.report(
            node,
            "no path can be written with a property's name that has a dot or a bracket and ends in a backslash",
        );
    }
    if name == RESERVED {
        scope.report(node, format!("'{RESERVED}' is a reserved name"));
    }
}

/// The name that no property, type, resource or function may have.
pub(super) const RESERVED: &str = "pulumi";

/// The names in a list, of properties that there must be.
pub(super) fn required_names(
    node: &Node<'_>,
    name: &str,
    properties: &BTreeMap<String, Box<Property>>,
    scope: &mut Scope<'_>,
) -> BTreeSet<String> {
    let names = scope.strings(node, name);
    if let Some(member) = node.member(name) {
        for missing in names.iter().filter(|name| !properties.contains_key(*name)) {
            let message = format!("there is no property '{}' to be required", missing.escape_debug());
            match scope.nearest(missing, properties.keys().map(String::as_str)) {
                Some(nearest) => scope.report_with(&member, message, format!("did you mean '{nearest}'?")),
                None => scope.report(&member, message),
            }
        }
    }
    names.into_iter().collect()
}

fn property(node: &Node<'_>, scope: &mut Scope<'_>) -> Property {
    case::notice(node, case::PROPERTY, scope);
    let Some(ty) = types::ty(node, scope) else { return Property::of(Type::Any) };
    let is_foreign = reference::is_foreign(node, scope);
    let default = node.member("default").and_then(|default| literal::default(&default, &ty, is_foreign, scope));
    let constant = node.member("const").and_then(|constant| literal::constant(&constant, &ty, scope));
    let replaces = scope.flag(node, "replaceOnChanges") | scope.flag(node, "willReplaceOnChanges");
    Property {
        plain: scope.flag(node, "plain"),
        secret: scope.flag(node, "secret"),
        replaces,
        default,
        default_info: default_info(node, scope),
        constant,
        facts: facts::of_property(node, &ty, scope),
        description: scope.text(node, "description"),
        deprecation: scope.stated(node, "deprecationMessage"),
        ty,
    }
}

fn default_info(node: &Node<'_>, scope: &mut Scope<'_>) -> DefaultInfo {
    let Some(info) = node.member("defaultInfo") else { return DefaultInfo::default() };
    case::notice(&info, case::DEFAULT_INFO, scope);
    if let Some(language) = info.member("language") {
        scope.is_object(&language);
    }
    let environment = scope.strings(&info, "environment");
    if environment.is_empty() {
        scope.report(&info, "`defaultInfo` must name an environment variable");
    }
    DefaultInfo { environment }
}
