//! A stack's state, as `pulumi stack export` gives it, or as the backend keeps it.

use std::fmt;

use serde_json::Value;

/// A deployment with its resources.
#[derive(Clone, Debug, PartialEq)]
pub struct State(Value);

impl State {
    pub(crate) fn exported(json: &str) -> Self {
        let mut exported: Value = serde_json::from_str(json).expect("an exported stack should be JSON");
        Self(exported["deployment"].take())
    }

    /// From the backend's file.
    pub(crate) fn kept(json: &str) -> Self {
        let mut kept: Value = serde_json::from_str(json).expect("a stack should be kept as JSON");
        Self(kept["checkpoint"]["latest"].take())
    }

    /// Whether there is a resource of that name.
    pub fn has(&self, name: &str) -> bool {
        self.all().any(|resource| called(resource, name))
    }

    /// The resource of that name, with its `id`, `inputs`, `outputs` and so on.
    #[track_caller]
    pub fn resource(&self, name: &str) -> &Value {
        let found = self.all().find(|resource| called(resource, name));
        found.unwrap_or_else(|| panic!("there should be a resource `{name}` in {self}"))
    }

    /// A resource's output.
    #[track_caller]
    pub fn output(&self, resource: &str, property: &str) -> &Value {
        &self.resource(resource)["outputs"][property]
    }

    /// The names of all resources but the stack and the providers.
    pub fn names(&self) -> Vec<&str> {
        let custom = self.all().filter(|resource| !kind(resource).starts_with("pulumi:"));
        custom.filter_map(|resource| resource["urn"].as_str()?.rsplit("::").next()).collect()
    }

    /// All resources, as the state has them.
    pub fn resources(&self) -> &Value {
        &self.0["resources"]
    }

    /// The providers among the resources.
    pub fn providers(&self) -> Vec<&Value> {
        self.all().filter(|resource| kind(resource).starts_with("pulumi:providers:")).collect()
    }

    fn all(&self) -> impl Iterator<Item = &Value> {
        self.resources().as_array().into_iter().flatten()
    }
}

fn kind(resource: &Value) -> &str {
    resource["type"].as_str().unwrap_or_default()
}

fn called(resource: &Value, name: &str) -> bool {
    resource["urn"].as_str().is_some_and(|urn| urn.rsplit("::").next() == Some(name))
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}
