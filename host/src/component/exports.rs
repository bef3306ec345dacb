//! A component's exports, each bound by itself: absent is `None`, and a version of the contract that this host doesn't
//! speak is an error that names both.

use std::any::Any;
use std::collections::HashMap;

use wasmtime::component::{Component, ComponentExportIndex};

use super::load_error::LoadError;
use crate::provider::Exports;

/// The package that exports and imports belong to, without a version.
const PACKAGE: &str = "bulkhead:provider/";
/// The version of the contract that this host speaks.
pub(crate) const CONTRACT: &str = "0.1.0";

/// The interfaces that a component may export and their functions, as both are called here.
const INTERFACES: [(&str, &[&str]); 14] = [
    ("schema", &["package_schema", "manifest"]),
    ("config", &["configure"]),
    ("resources", &["create", "read", "update", "delete"]),
    ("functions", &["invoke"]),
    ("check", &["check"]),
    ("diff", &["diff"]),
    ("preview", &["preview_create", "preview_update"]),
    ("config_check", &["check_config"]),
    ("config_diff", &["diff_config"]),
    ("upgrade", &["upgrade"]),
    ("components", &["construct", "call"]),
    ("parameterization", &["parameterize"]),
    ("lists", &["list_page"]),
    ("mappings", &["get_mapping", "get_mappings"]),
];

/// A name as the contract has it.
fn written(name: &str) -> String {
    name.replace('_', "-")
}

/// Where in a component the functions of those interfaces are that it has.
pub(super) struct Bound(HashMap<&'static str, HashMap<&'static str, ComponentExportIndex>>);

/// The functions of an instance, by the names of interface and function here, once they were looked up: that compares types, and takes
/// longer than a small call.
pub(super) type Found = HashMap<(&'static str, &'static str), Box<dyn Any + Send + Sync>>;

/// A function that has other types than the contract's. While the contract isn't frozen, that is one from before it changed.
#[derive(Debug, thiserror::Error)]
#[error("the component's export `{}` isn't what the contract says: `{}`: {how}", written(interface), written(function))]
pub(super) struct Mistyped {
    /// The interface, by its name here.
    pub(super) interface: &'static str,
    /// The function, by its name here.
    pub(super) function: &'static str,
    /// Where the types differ.
    pub(super) how: String,
}

impl Bound {
    /// Binds what a component exports.
    ///
    /// # Errors
    /// An interface without a function that it should have.
    pub(super) fn new(component: &Component) -> Result<Self, LoadError> {
        let mut bound = HashMap::new();
        for (interface, functions) in INTERFACES {
            let named = format!("{PACKAGE}{}@{CONTRACT}", written(interface));
            let Some(exported) = component.get_export_index(None, &named) else { continue };
            let place = |function: &&'static str| {
                let place = component.get_export_index(Some(&exported), written(function));
                let absent = || LoadError::Export { interface: written(interface), function: written(function) };
                place.map(|place| (*function, place)).ok_or_else(absent)
            };
            bound.insert(interface, functions.iter().map(place).collect::<Result<_, _>>()?);
        }
        Ok(Self(bound))
    }

    /// Whether there is an interface, by its name here.
    pub(super) fn has(&self, interface: &str) -> bool {
        self.0.contains_key(interface)
    }

    /// Where a function is, by the names of its interface and its own here.
    pub(super) fn place(&self, interface: &str, function: &str) -> Option<&ComponentExportIndex> {
        self.0.get(interface)?.get(function)
    }

    /// Which interfaces there are.
    pub(super) fn exports(&self) -> Exports {
        Exports {
            config: self.has("config"),
            resources: self.has("resources"),
            functions: self.has("functions"),
            check: self.has("check"),
            diff: self.has("diff"),
            preview: self.has("preview"),
            config_check: self.has("config_check"),
            config_diff: self.has("config_diff"),
            upgrade: self.has("upgrade"),
            components: self.has("components"),
            schema: self.has("schema"),
            parameterization: self.has("parameterization"),
            lists: self.has("lists"),
            mappings: self.has("mappings"),
        }
    }
}

/// The names of all interfaces of the contract that a component exports.
pub(super) fn names(component: &Component) -> Vec<String> {
    let ty = component.component_type();
    let mut names: Vec<String> = ty.exports(component.engine()).map(|(name, _)| name.to_owned()).collect();
    // The linker's order changes with the toolchain.
    names.sort_unstable();
    names
}

/// Refuses a component of another version of the contract, before anything is linked that would fail for less clear reasons.
///
/// # Errors
/// An interface of another version, or none of the contract at all.
pub(super) fn refuse_other_versions(component: &Component) -> Result<(), LoadError> {
    let names = names(component);
    let ours = names.iter().filter_map(|name| name.strip_prefix(PACKAGE));
    let mut any = false;
    for name in ours {
        any = true;
        if let Some((interface, version)) = name.split_once('@')
            && version != CONTRACT
        {
            return Err(LoadError::Contract {
                interface: interface.to_owned(),
                found: version.to_owned(),
                supported: CONTRACT,
            });
        }
    }
    if any { Ok(()) } else { Err(LoadError::NotAProvider { exports: names }) }
}

/// A component of the contract with nothing in it.
#[cfg(test)]
pub(crate) fn nothing() -> Vec<u8> {
    use wasm_encoder::{Component, ComponentExportKind, ComponentExportSection, ComponentInstanceSection};

    let (mut instances, mut exports) = (ComponentInstanceSection::new(), ComponentExportSection::new());
    let none: [(&str, ComponentExportKind, u32); 0] = [];
    instances.export_items(none);
    exports.export(format!("{PACKAGE}nothing@{CONTRACT}"), ComponentExportKind::Instance, 0, None);
    let mut component = Component::new();
    component.section(&instances).section(&exports);
    component.finish()
}
