//! Type references and named types.

use std::collections::BTreeMap;

use super::{
    case, literal,
    node::{Node, kind},
    object,
    reference::{self, reference},
    resource::overlay,
    scope::Scope,
};
use crate::model::{Definition, Discriminator, EnumType, EnumValue, Primitive, Type, Union};

/// The most types that a union may have: a value may have to be compared with each.
const VARIANTS: usize = 1_000;

/// The type that a type reference or a property describes.
pub(super) fn ty(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Type> {
    if !scope.is_object(node) {
        return None;
    }
    // What this form of type doesn't have is of its kind all the same: upstream reads it before it asks for the form.
    if let Some(unused) = node.member("discriminator").filter(|_| node.member("oneOf").is_none()) {
        unused_discriminator(&unused, scope);
    }
    if let Some(target) = node.stated("$ref") {
        scope.prose(node, "type");
        foreign(node, &["additionalProperties", "items", "oneOf"], "a named type", scope);
        return reference(&target, scope);
    }
    if let Some(variants) = node.member("oneOf") {
        foreign(node, &["additionalProperties", "items"], "a union", scope);
        return union(node, &variants, scope).map(Type::Union);
    }
    let Some(kind) = node.stated("type") else {
        scope.report_with(node, "the type is missing", "give it a `type`, a `$ref` or a `oneOf`");
        return None;
    };
    match scope.string(&kind)? {
        "array" => {
            foreign(node, &["additionalProperties"], "an array", scope);
            let Some(items) = node.member("items") else {
                scope.report(node, "an array must have `items`");
                return None;
            };
            Some(Type::Array(Box::new(nested(&items, scope)?)))
        }
        "object" => {
            foreign(node, &["items"], "a map", scope);
            let element = match node.member("additionalProperties") {
                Some(element) => nested(&element, scope)?,
                None => Type::String,
            };
            Some(Type::Map(Box::new(element)))
        }
        name => {
            foreign(node, &["additionalProperties", "items"], "a primitive", scope);
            let primitive = Primitive::named(name);
            if primitive.is_none() {
                let hint = "there are boolean, integer, number, string, array and object";
                scope.report_with(&kind, format!("unknown type '{}'", name.escape_debug()), hint);
            }
            primitive.map(Type::from)
        }
    }
}

fn unused_discriminator(node: &Node<'_>, scope: &mut Scope<'_>) {
    if scope.is_object(node) {
        scope.prose(node, "propertyName");
        if let Some(mapping) = node.member("mapping").filter(|mapping| scope.is_object(mapping)) {
            for (_, target) in mapping.members() {
                scope.string(&target);
            }
        }
    }
}

/// A type within a type, or as a result, which may be plain by itself.
pub(super) fn nested(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Type> {
    case::notice(node, case::TYPE, scope);
    let ty = ty(node, scope)?;
    scope.flag(node, "plain");
    Some(ty)
}

/// Reports members that this form of type doesn't have.
fn foreign(node: &Node<'_>, names: &[&str], what: &str, scope: &mut Scope<'_>) {
    for name in names {
        // A list of no types is as good as none.
        if let Some(member) =
            node.member(name).filter(|member| member.json.as_array().is_none_or(|list| !list.is_empty()))
        {
            scope.report(&member, format!("{what} has no `{name}`"));
        }
    }
}

fn union(node: &Node<'_>, variants: &Node<'_>, scope: &mut Scope<'_>) -> Option<Union> {
    let count = variants.json.as_array().map_or(0, <[_]>::len);
    if count < 2 {
        scope.report(variants, "a union must list at least two types");
    }
    if count > VARIANTS {
        scope.report(variants, format!("a union may list {VARIANTS} types, and this one has {count}"));
        return None;
    }
    let underlying = match node.stated("type") {
        Some(kind) => {
            let primitive = Primitive::named(scope.string(&kind)?);
            if primitive.is_none() {
                scope.report(&kind, "the type of a union is boolean, integer, number or string");
            }
            primitive
        }
        None => None,
    };
    let discriminator = match node.member("discriminator") {
        Some(discriminator) => Some(self::discriminator(&discriminator, scope)?),
        None => None,
    };
    let mut types = Vec::with_capacity(count);
    for variant in variants.elements() {
        types.extend(nested(&variant, scope));
    }
    if types.len() != count {
        return None;
    }
    // Programs in languages without unions give any value of the primitive.
    if let Some(primitive) = underlying.map(Type::from)
        && !types.contains(&primitive)
    {
        types.push(primitive);
    }
    Some(Union { variants: types, underlying, discriminator })
}

fn discriminator(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Discriminator> {
    case::notice(node, case::DISCRIMINATOR, scope);
    let property = scope.text(node, "propertyName").filter(|property| !property.is_empty());
    if property.is_none() {
        scope.report(node, "a discriminator must have a `propertyName`");
    }
    let mut mapping = BTreeMap::new();
    if let Some(entries) = node.member("mapping").filter(|entries| scope.is_object(entries)) {
        for (value, target) in entries.members() {
            let Some(text) = scope.string(&target) else { continue };
            let target = reference::variant(text, scope).unwrap_or_else(|| {
                // Generators write the names that types had before there were tokens. Types of other packages are none of
                // these, and which one it is makes no difference.
                if !text.contains("/schema.json#") {
                    scope.notice(&target, "the discriminator leads to no type", "leave out what isn't in `types`");
                }
                text.to_owned()
            });
            mapping.insert(value.to_owned(), target);
        }
    }
    Some(Discriminator { property: property?, mapping })
}

/// A named type.
pub(super) fn definition(node: &Node<'_>, scope: &mut Scope<'_>) -> Option<Definition> {
    if !scope.is_object(node) {
        return None;
    }
    overlay(node, scope);
    case::notice(node, case::OBJECT, scope);
    let is_object = node.member("type").is_some_and(|kind| kind.json.as_str() == Some("object"));
    if let Some(values) = node.member("enum").filter(|_| !is_object) {
        unused(node, scope);
        return enumeration(node, &values, scope).map(Definition::Enum);
    }
    if let Some(values) = node.member("enum").filter(|values| values.json.as_array().is_none()) {
        scope.report(&values, format!("expected an array, got {}", kind(values.json)));
    }
    match node.stated("type") {
        Some(kind) if kind.json.as_str() != Some("object") => {
            scope.report_with(&kind, "a named type is an object or an enum", "an enum must have `enum`");
        }
        Some(_) => {}
        None => scope.notice(node, "the type doesn't say what it is", "give it the `type` \"object\""),
    }
    Some(Definition::Object(object::object_type(node, "properties", "required", scope)))
}

/// What an enum doesn't have is of its kind all the same: upstream reads all types as if they were objects.
fn unused(node: &Node<'_>, scope: &mut Scope<'_>) {
    scope.strings(node, "required");
    scope.strings(node, "plain");
    if let Some(properties) = node.member("properties").filter(|properties| scope.is_object(properties)) {
        for (_, property) in properties.members() {
            scope.is_object(&property);
        }
    }
}

fn enumeration(node: &Node<'_>, values: &Node<'_>, scope: &mut Scope<'_>) -> Option<EnumType> {
    let Some(underlying) = node.member("type").and_then(|kind| Primitive::named(kind.json.as_str()?)) else {
        scope.report(node, "the type of an enum is boolean, integer, number or string");
        return None;
    };
    if values.json.as_array().is_none_or(<[_]>::is_empty) {
        scope.report(values, "an enum must list its values");
    }
    let mut allowed = Vec::new();
    for entry in values.elements() {
        case::notice(&entry, case::ENUM_VALUE, scope);
        let Some(value) = entry.member("value") else {
            scope.report(&entry, "an enum value must have a `value`");
            continue;
        };
        if let Some(value) = literal::primitive(&value, underlying, scope) {
            let name = scope.stated(&entry, "name");
            scope.prose(&entry, "description");
            let deprecation = scope.stated(&entry, "deprecationMessage");
            allowed.push(EnumValue { value, name, deprecation });
        }
    }
    Some(EnumType::new(underlying, allowed))
}
