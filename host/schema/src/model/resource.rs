//! Resources.

use std::collections::BTreeMap;

use super::{ObjectType, ResourceFacts};

/// A resource or a component of a package, or its provider.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resource {
    /// Its type token.
    pub token: String,
    /// What a program gives.
    pub inputs: ObjectType,
    /// What it gets back.
    pub outputs: ObjectType,
    /// What is needed besides the id to look an existing one up; the id alone if absent.
    pub state_inputs: Option<ObjectType>,
    /// What narrows a list of existing ones down; absent if they can't be listed.
    pub list_inputs: Option<ObjectType>,
    /// Whether it is made of other resources instead of being managed by the provider.
    pub is_component: bool,
    /// Whether it is written by hand in SDKs, so that a provider may have nothing to serve for it.
    pub is_overlay: bool,
    /// Tokens it was known by before.
    pub aliases: Vec<String>,
    /// Methods: the token of a function by name.
    pub methods: BTreeMap<String, String>,
    /// What the manifest says about it.
    pub facts: ResourceFacts,
    /// Why it shouldn't be used any more.
    pub deprecation: Option<String>,
}

/// What a top-level property of a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Given by the program, and not returned.
    Input {
        /// Whether it must be given.
        required: bool,
    },
    /// Returned, and never given.
    Output {
        /// Whether it is always there.
        required: bool,
    },
    /// Given and returned.
    Both {
        /// Whether it must be given.
        required: bool,
        /// Who fills it if it is left out.
        filler: Filler,
    },
}

/// Who fills a property that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filler {
    /// The host, when it checks the inputs: from a constant, a default, the environment or a generated name.
    Check,
    /// The provider, with a value that it promises.
    Promise,
    /// The provider, with a value that isn't known before.
    Provider,
}

impl Resource {
    /// What the property of this name is; `None` if there is none.
    pub fn role(&self, name: &str) -> Option<Role> {
        match (self.inputs.properties.get(name), self.outputs.properties.get(name)) {
            (None, None) => None,
            (Some(_), None) => Some(Role::Input { required: self.inputs.requires(name) }),
            (None, Some(_)) => Some(Role::Output { required: self.outputs.requires(name) }),
            (Some(input), Some(_)) => {
                let filler = match input.facts.output_default {
                    _ if input.is_filled() => Filler::Check,
                    Some(_) => Filler::Promise,
                    None => Filler::Provider,
                };
                Some(Role::Both { required: self.inputs.requires(name), filler })
            }
        }
    }
}
