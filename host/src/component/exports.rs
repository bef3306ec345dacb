//! A component's exports, each bound by itself: absent is `None`, and a version of the contract that this host doesn't
//! speak is an error that names both.

use std::any::Any;
use std::collections::HashMap;

use wasmtime::component::{Component, ComponentExportIndex, InstancePre};

use super::load_error::LoadError;
use crate::provider::Exports;
use crate::store::State;
use crate::wit::bindings::exports::{
    check, components, config, config_check, config_diff, diff, functions, lists, mappings, parameterization, preview,
    resources, schema, upgrade,
};

/// The package that exports and imports belong to, without a version.
const PACKAGE: &str = "bulkhead:provider/";
/// The version of the contract that this host speaks.
pub(crate) const CONTRACT: &str = "0.1.0";

/// Where in a component the functions of each interface are.
pub(super) struct Bound {
    /// Where the functions are that calls are made of.
    pub(super) all: HashMap<(&'static str, &'static str), ComponentExportIndex>,
    pub(super) schema: Option<schema::GuestIndices>,
    pub(super) config: Option<config::GuestIndices>,
    pub(super) resources: Option<resources::GuestIndices>,
    pub(super) functions: Option<functions::GuestIndices>,
    pub(super) check: Option<check::GuestIndices>,
    pub(super) diff: Option<diff::GuestIndices>,
    pub(super) preview: Option<preview::GuestIndices>,
    pub(super) config_check: Option<config_check::GuestIndices>,
    pub(super) config_diff: Option<config_diff::GuestIndices>,
    pub(super) upgrade: Option<upgrade::GuestIndices>,
    pub(super) components: Option<components::GuestIndices>,
    pub(super) parameterization: Option<parameterization::GuestIndices>,
    pub(super) lists: Option<lists::GuestIndices>,
    pub(super) mappings: Option<mappings::GuestIndices>,
}

/// The functions of an instance, by the names of interface and function here, once they were looked up: that compares types, and takes
/// longer than a small call.
pub(super) type Found = HashMap<(&'static str, &'static str), Box<dyn Any + Send + Sync>>;

/// The functions that calls are made of, as interfaces and functions are called here.
const FUNCTIONS: [(&str, &str); 19] = [
    ("config", "configure"),
    ("resources", "create"),
    ("resources", "read"),
    ("resources", "update"),
    ("resources", "delete"),
    ("functions", "invoke"),
    ("check", "check"),
    ("diff", "diff"),
    ("preview", "preview_create"),
    ("preview", "preview_update"),
    ("config_check", "check_config"),
    ("config_diff", "diff_config"),
    ("upgrade", "upgrade"),
    ("components", "construct"),
    ("components", "call"),
    ("lists", "list_page"),
    ("mappings", "get_mapping"),
    ("mappings", "get_mappings"),
    ("parameterization", "parameterize"),
];

/// Where in a component these functions are, of those interfaces that it has.
fn places(component: &Component) -> HashMap<(&'static str, &'static str), ComponentExportIndex> {
    let index = |(interface, function): &(&str, &str)| {
        let interface = format!("{PACKAGE}{}@{CONTRACT}", interface.replace('_', "-"));
        let interface = component.get_export_index(None, &interface)?;
        component.get_export_index(Some(&interface), function.replace('_', "-"))
    };
    FUNCTIONS.iter().filter_map(|named| Some((*named, index(named)?))).collect()
}

impl Bound {
    /// Binds what a component exports.
    ///
    /// # Errors
    /// An interface without a function that it should have.
    pub(super) fn new(pre: &InstancePre<State>) -> Result<Self, LoadError> {
        let component = pre.component();
        // A macro, since the generated `new` is an inherent function of many unrelated types.
        macro_rules! bind {
            ($interface:ident, $name:literal) => {
                match component.get_export_index(None, concat!("bulkhead:provider/", $name, "@0.1.0")) {
                    None => None,
                    Some(_) => Some(
                        $interface::GuestIndices::new(pre)
                            .map_err(|error| LoadError::Export { interface: $name, reason: error.to_string() })?,
                    ),
                }
            };
        }
        Ok(Self {
            schema: bind!(schema, "schema"),
            config: bind!(config, "config"),
            resources: bind!(resources, "resources"),
            all: places(component),
            functions: bind!(functions, "functions"),
            check: bind!(check, "check"),
            diff: bind!(diff, "diff"),
            preview: bind!(preview, "preview"),
            config_check: bind!(config_check, "config-check"),
            config_diff: bind!(config_diff, "config-diff"),
            upgrade: bind!(upgrade, "upgrade"),
            components: bind!(components, "components"),
            parameterization: bind!(parameterization, "parameterization"),
            lists: bind!(lists, "lists"),
            mappings: bind!(mappings, "mappings"),
        })
    }

    /// Which interfaces there are.
    pub(super) fn exports(&self) -> Exports {
        Exports {
            config: self.config.is_some(),
            resources: self.resources.is_some(),
            functions: self.functions.is_some(),
            check: self.check.is_some(),
            diff: self.diff.is_some(),
            preview: self.preview.is_some(),
            config_check: self.config_check.is_some(),
            config_diff: self.config_diff.is_some(),
            upgrade: self.upgrade.is_some(),
            components: self.components.is_some(),
            schema: self.schema.is_some(),
            parameterization: self.parameterization.is_some(),
            lists: self.lists.is_some(),
            mappings: self.mappings.is_some(),
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
