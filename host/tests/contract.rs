//! The contract's text: it parses, and every item of it says what it is.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where something is wrong"
)]

use std::path::Path;

use wit_parser::{Docs, Resolve, TypeDefKind};

fn contract() -> (Resolve, wit_parser::PackageId) {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit")).unwrap();
    (resolve, package)
}

fn undocumented(docs: &Docs) -> bool {
    docs.contents.as_ref().is_none_or(|text| text.trim().is_empty())
}

#[test]
fn every_item_is_documented() {
    let (resolve, package) = contract();
    let mut missing: Vec<String> = Vec::new();
    let mut look = |path: String, docs: &Docs| {
        if undocumented(docs) {
            missing.push(path);
        }
    };
    for (name, world) in &resolve.packages[package].worlds {
        look(format!("world {name}"), &resolve.worlds[*world].docs);
    }
    for (interface_name, id) in &resolve.packages[package].interfaces {
        let interface = &resolve.interfaces[*id];
        look(format!("interface {interface_name}"), &interface.docs);
        for (name, function) in &interface.functions {
            look(format!("{interface_name}.{name}"), &function.docs);
        }
        for (name, ty) in &interface.types {
            let ty = &resolve.types[*ty];
            let at = format!("{interface_name}.{name}");
            let members: Vec<(&String, &Docs)> = match &ty.kind {
                // A type that was taken over from elsewhere is documented there.
                TypeDefKind::Type(wit_parser::Type::Id(_)) => continue,
                TypeDefKind::Record(record) => record.fields.iter().map(|field| (&field.name, &field.docs)).collect(),
                TypeDefKind::Variant(variant) => variant.cases.iter().map(|case| (&case.name, &case.docs)).collect(),
                TypeDefKind::Enum(cases) => cases.cases.iter().map(|case| (&case.name, &case.docs)).collect(),
                _ => Vec::new(),
            };
            look(at.clone(), &ty.docs);
            for (member, docs) in members {
                look(format!("{at}.{member}"), docs);
            }
        }
    }
    assert!(missing.is_empty(), "without docs: {}", missing.join(", "));
}

#[test]
fn a_world_per_capability_exports_one_interface() {
    let (resolve, package) = contract();
    let worlds = &resolve.packages[package].worlds;
    let exports = |name: &str| resolve.worlds[worlds[name]].exports.len();
    let all = exports("provider");
    let small: Vec<&String> = worlds.keys().filter(|name| *name != "provider" && *name != "imports").collect();
    for name in &small {
        assert_eq!(exports(name), 1, "{name}");
    }
    assert_eq!(all, small.len(), "`provider` exports what the small worlds do together");
}

#[test]
fn no_type_is_too_wide_for_languages_with_doubles_only() {
    let (resolve, _) = contract();
    for (_, ty) in resolve.types.iter() {
        let wide = |ty: &wit_parser::Type| matches!(ty, wit_parser::Type::U64 | wit_parser::Type::S64);
        let members: Vec<wit_parser::Type> = match &ty.kind {
            TypeDefKind::Record(record) => record.fields.iter().map(|field| field.ty).collect(),
            TypeDefKind::Variant(variant) => variant.cases.iter().filter_map(|case| case.ty).collect(),
            TypeDefKind::Type(inner) | TypeDefKind::Option(inner) | TypeDefKind::List(inner) => vec![*inner],
            _ => Vec::new(),
        };
        assert!(!members.iter().any(wide), "{:?} holds a 64-bit integer", ty.name);
    }
}
