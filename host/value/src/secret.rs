//! A value that must not be shown.

use std::{fmt, mem};

use crate::{Value, tree};

/// A value that must not appear in logs, errors, diffs, ids or as a plain output. Never holds a secret itself: to be
/// secret twice is no more than to be secret.
#[derive(PartialEq, Eq)]
pub struct Secret(Box<Value>);

impl Secret {
    /// Wraps a value; a secret stays as it is.
    pub fn new(value: Value) -> Self {
        match value {
            Value::Secret(secret) => secret,
            value => Self(Box::new(value)),
        }
    }

    /// What is secret. Don't show it.
    pub fn inner(&self) -> &Value {
        &self.0
    }

    /// What is secret. Don't show it.
    pub fn into_inner(mut self) -> Value {
        self.take()
    }

    /// What is secret, to change what is in it. Not to be made a secret itself.
    pub(crate) fn inner_mut(&mut self) -> &mut Value {
        &mut self.0
    }

    pub(crate) fn take(&mut self) -> Value {
        mem::replace(&mut *self.0, Value::Null)
    }
}

impl Clone for Secret {
    fn clone(&self) -> Self {
        Self(Box::new(tree::duplicate(&self.0)))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        tree::dismantle([self.take()]);
    }
}
