//! What is checked, and the verdict.

use std::fmt;

use bulkhead_value::{Object, PropertyPath};

use crate::{Failure, model::ObjectType, walk::Changes};

/// What to check: the inputs of a resource, a configuration, the arguments of a function.
#[derive(Clone, Copy)]
pub struct CheckRequest<'a> {
    /// The type that the inputs should be of.
    pub ty: &'a ObjectType,
    /// The inputs that the last check returned; absent for a new resource and for a replacement.
    pub prior: Option<&'a Object>,
    /// What was given. Members may be unknown or secret.
    pub inputs: &'a Object,
    /// Where the prior inputs have generated names. Only these are used again: a name that a user gave and took back is
    /// not.
    pub prior_generated: &'a [PropertyPath],
    /// What randomness comes from: equal seeds give equal names. Without one, names aren't known yet.
    pub seed: Option<&'a [u8]>,
    /// The name that the program gave the resource, from which names are generated.
    pub name: Option<&'a str>,
    /// What the engine wishes for generated names.
    pub autonaming: Option<&'a Autonaming>,
    /// Looks up an environment variable, as far as the provider may see it.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
    /// Names at the top that are passed on without a look, such as `version` in a configuration.
    pub exempt: &'a [&'a str],
}

impl<'a> CheckRequest<'a> {
    /// A check of inputs and nothing else: no prior inputs, no seed, no environment.
    pub fn of(ty: &'a ObjectType, inputs: &'a Object) -> Self {
        Self {
            ty,
            prior: None,
            inputs,
            prior_generated: &[],
            seed: None,
            name: None,
            autonaming: None,
            environment: &|_| None,
            exempt: &[],
        }
    }
}

/// Without the values.
impl fmt::Debug for CheckRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.inputs.keys().collect();
        f.debug_struct("CheckRequest").field("inputs", &names).field("name", &self.name).finish_non_exhaustive()
    }
}

/// An engine's wish for generated names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Autonaming {
    /// How binding it is.
    pub mode: AutonamingMode,
    /// The name that it proposes; empty if the mode is to disable names.
    pub proposed_name: String,
}

/// How binding an engine's wish is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutonamingMode {
    /// The proposed name is taken if it is a valid one.
    Propose,
    /// The proposed name is taken, or the check fails.
    Enforce,
    /// No name is generated: without a given one the check fails.
    Disable,
}

/// The verdict.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    /// The inputs as given, completed.
    pub inputs: Object,
    /// Where they were completed with constants, defaults and values of the environment.
    pub filled: Vec<PropertyPath>,
    /// Where they have generated names, new ones or those of the prior inputs. An unknown value stands where there was no
    /// seed.
    pub generated: Vec<PropertyPath>,
    /// All that is wrong; none means that the inputs can be used.
    pub failures: Vec<Failure>,
}

/// What a check found. It borrows nothing of the inputs, so that who owns them needn't copy them for the verdict.
#[derive(Debug)]
#[must_use = "what was found is told by the verdict"]
pub struct Findings {
    pub(super) additions: Changes,
    /// The verdict without the inputs.
    pub(super) checked: Checked,
}

impl Findings {
    /// The verdict on the inputs, which are to be those that were checked. They are completed where they are.
    pub fn complete(self, inputs: Object) -> Checked {
        let mut checked = Checked { inputs, ..self.checked };
        self.additions.apply(&mut checked.inputs);
        checked
    }
}
