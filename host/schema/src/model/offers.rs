//! What a package needs code for.
//!
//! Each start compares it with what the component exports. To find it out takes a look at every resource and function, so an
//! index remembers it: this alone decides what may be left undecoded.

use std::{borrow::Cow, collections::BTreeMap};

use super::{Overrides, Package, Resource};

/// For each kind of code the first token that needs it, overlays aside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offers {
    /// A resource that the provider manages.
    pub custom: Option<String>,
    /// A resource that can be listed.
    pub listed: Option<String>,
    /// A function that is no method.
    pub function: Option<String>,
    /// A component.
    pub component: Option<String>,
    /// A method of a resource.
    pub method: Option<String>,
    /// The resources some of whose calls the provider answers itself, and which.
    pub overrides: BTreeMap<String, Overrides>,
}

/// What was found out before, if it was. It says nothing that the package doesn't, so all are equal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remembered(pub(crate) Option<Box<Offers>>);

impl PartialEq for Remembered {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Package {
    /// What it needs code for.
    pub fn offers(&self) -> Cow<'_, Offers> {
        self.remembered.0.as_deref().map_or_else(|| Cow::Owned(offered(self)), Cow::Borrowed)
    }
}

fn offered(package: &Package) -> Offers {
    let served = || package.resources.values().filter(|resource| !resource.is_overlay);
    let first = |is_one: fn(&Resource) -> bool| {
        served().find(|resource| is_one(resource)).map(|resource| resource.token.clone())
    };
    let overrides = package.resources.iter().map(|(token, resource)| (token, resource.facts.overrides));
    let overridden = overrides.filter(|(_, overrides)| *overrides != Overrides::default());
    Offers {
        custom: first(|resource| !resource.is_component),
        listed: first(|resource| resource.list_inputs.is_some()),
        function: package.served_functions().next().map(|(token, _)| token.clone()),
        component: first(|resource| resource.is_component),
        method: served().find_map(|resource| package.served_methods(resource).next()).cloned(),
        overrides: overridden.map(|(token, overrides)| (token.clone(), overrides)).collect(),
    }
}
