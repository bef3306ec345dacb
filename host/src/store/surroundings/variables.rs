//! Whose environment a component is in.
//!
//! A process that is started as a plugin has the plugin's environment. One that runs many has its own, while each of them is to have
//! what its engine started it with: two providers of one program may have the same variable with different values.

use std::collections::BTreeMap;

/// The variables of which a component gets those that it is granted.
#[derive(Clone)]
pub(crate) enum Variables {
    /// This process's.
    Own,
    /// What an engine started the plugin with.
    Given(BTreeMap<String, String>),
}

impl Variables {
    /// Those that an engine names, each as `NAME=value`, of which the last one of a name counts, as for a process that is started. Where it
    /// names none, they are this process's.
    pub(crate) fn given(named: &[String]) -> Self {
        if named.is_empty() {
            return Self::Own;
        }
        let split = named.iter().filter_map(|variable| variable.split_once('='));
        Self::Given(split.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// The value of a variable that is there, and is text.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        match self {
            Self::Own => std::env::var(name).ok(),
            Self::Given(values) => values.get(name).cloned(),
        }
    }
}
