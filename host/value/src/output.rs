//! A value that some operation will bring, with what it depends on.

use std::{fmt, mem};

use crate::{Value, tree};

/// An eventual value. Only components and functions exchange them; other peers get them degraded to a plain, an unknown or
/// a secret value.
///
/// Because it drops without recursion, it can't be taken apart by a pattern: see [`into_parts`](Self::into_parts).
#[derive(Default, PartialEq, Eq)]
pub struct Output {
    /// The value; absent while it is unknown.
    pub value: Option<Box<Value>>,
    /// Whether the value is secret.
    pub secret: bool,
    /// The URNs of the resources that the value depends on.
    pub dependencies: Vec<String>,
}

impl Output {
    /// A known output that depends on nothing and isn't secret.
    pub fn known(value: impl Into<Value>) -> Self {
        Self { value: Some(Box::new(value.into())), secret: false, dependencies: Vec::new() }
    }

    /// The value, whether it is secret, and what it depends on.
    pub fn into_parts(mut self) -> (Option<Value>, bool, Vec<String>) {
        (self.value.take().map(|value| *value), self.secret, mem::take(&mut self.dependencies))
    }
}

impl Clone for Output {
    fn clone(&self) -> Self {
        Self {
            value: self.value.as_deref().map(|value| Box::new(tree::duplicate(value))),
            secret: self.secret,
            dependencies: self.dependencies.clone(),
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        tree::print_output(self, f)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        tree::dismantle(self.value.take().map(|value| *value));
    }
}
