//! A reference to another resource of the deployment.

use crate::Value;

/// A reference to another resource. Only components may follow it; everybody else treats it as its id or URN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The resource's URN. Kept as it came: whether it is one, only [`Urn::parse`](crate::Urn::parse) tells.
    pub urn: String,
    /// The resource's id; absent for components.
    pub id: Option<ReferenceId>,
    /// The version of the package that defines the resource, or the empty string.
    pub package_version: String,
}

/// The id inside a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceId {
    /// The id. Never empty: an empty id is one that isn't known yet.
    Known(String),
    /// The resource isn't created yet.
    Unknown,
}

impl ReferenceId {
    /// The id for a string from outside, where the empty string means that it isn't known.
    pub fn new(id: impl Into<String>) -> Self {
        match id.into() {
            id if id.is_empty() => Self::Unknown,
            id => Self::Known(id),
        }
    }

    /// The id, if it is known.
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Known(id) if !id.is_empty() => Some(id),
            _ => None,
        }
    }
}

impl Reference {
    /// What a party that can't follow references takes it for: the id, unknown if the id is, or the URN if there is no id.
    pub fn downgraded(&self) -> Value {
        match &self.id {
            None => Value::String(self.urn.clone()),
            Some(id) => id.known().map_or(Value::Unknown, Value::from),
        }
    }
}
