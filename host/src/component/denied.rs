//! What an operator is told of what was denied to a call, and of limits that it met.
//!
//! A guest says that a request failed, if it says anything. Which permission it lacked or which limit it met, and which line
//! would change that, is added to its error here; where a call succeeded without a permission, or its error is an answer as well, a
//! warning says it.

use std::collections::HashSet;
use std::sync::Arc;

use bulkhead_policy::{Denial, Phase};

use crate::provider::{Error, ErrorKind, Fault, Log, Message, Reason, Severity};
use crate::store::{Limits, Looked, Shortage, Surroundings};
use crate::wit::bindings::types;

/// How guests' libraries say that they know of no directory for a path. They ask the host only for what lies in one.
const NOWHERE: &str = "(os error 44)";
/// Why a component has none, where nothing was denied to it.
const NO_DIRECTORIES: &str = "the component has no directories, since its manifest asks for none: it is the provider's author who asks, with \
                              `permissions.filesystem`";

/// What was denied to a call.
#[derive(Default)]
pub(super) struct Denied {
    /// Asked for in it.
    asked: Vec<Denial>,
    /// What the component would find around it, and doesn't.
    missing: Arc<Surroundings>,
    /// Where it has looked for that.
    looked: Looked,
    /// The limits that it met.
    short: Vec<String>,
}

impl Denied {
    pub(super) fn new(asked: Vec<Denial>, missing: &Arc<Surroundings>, looked: Looked) -> Self {
        Self { asked, missing: Arc::clone(missing), looked, short: Vec::new() }
    }

    /// The same, for a call that met limits.
    pub(super) fn short_of(self, short: &[Shortage], limits: &Limits) -> Self {
        Self { short: short.iter().map(|shortage| shortage.told(limits)).collect(), ..self }
    }

    /// A call's error with what was denied before it.
    pub(super) fn explain(&self, mut error: Error) -> Error {
        let nowhere = error.message.contains(NOWHERE) && self.looked.directories && !self.missing.has_directories();
        let nowhere = nowhere.then(|| NO_DIRECTORIES.to_owned());
        let told: Vec<String> = self.told(&error.kind).chain(nowhere).chain(error.hint.take()).collect();
        error.hint = Some(told.join("; ")).filter(|hint| !hint.is_empty());
        error
    }

    /// What a call left behind, with what was denied before it.
    pub(super) fn explain_fault(&self, fault: Fault) -> Fault {
        match fault {
            Fault::Error(error) => Fault::Error(self.explain(error)),
            Fault::Partial(mut partial) => {
                partial.reasons.extend(self.told(&ErrorKind::Failed).map(Reason::Explained));
                Fault::Partial(partial)
            }
        }
    }

    /// What was denied before a guest failed in this way. What isn't there can be the reason only for what it says itself, and only if
    /// it has looked for it.
    pub(super) fn told(&self, kind: &ErrorKind) -> impl Iterator<Item = String> {
        let by_itself = matches!(
            kind,
            ErrorKind::Failed | ErrorKind::Rejected(_) | ErrorKind::MissingConfiguration(_) | ErrorKind::ProviderBug
        );
        let missing = if by_itself { self.missing.missed(self.looked) } else { Vec::new() };
        // Nearer to what went wrong than what the component never had.
        let short = if by_itself || matches!(kind, ErrorKind::OutcomeUnknown) { self.short.as_slice() } else { &[] };
        let mut said = HashSet::new();
        short.iter().cloned().chain(self.asked.iter().chain(missing).map(move |denial| told_after(denial, &mut said)))
    }
}

/// A denial on one line, with what would change it.
fn told(denial: &Denial) -> String {
    told_after(denial, &mut HashSet::new())
}

/// The same, after others whose commands have been said.
fn told_after(denial: &Denial, said: &mut HashSet<String>) -> String {
    match denial.hint_after(said) {
        Some(hint) => format!("{denial}; {hint}"),
        None => denial.to_string(),
    }
}

/// Whether nobody is told an error with what was denied before it, where a guest ended a call in this way: it succeeded, or its error is
/// an answer as well. Inputs are rejected so, and resources found to be gone.
pub(super) fn is_answer<T>(phase: Phase, said: &Result<T, types::Error>) -> bool {
    use types::Error::{NotFound, Rejected};
    match said {
        Ok(_) => true,
        Err(Rejected(_)) => matches!(phase, Phase::Check | Phase::Invoke | Phase::Construct | Phase::Call),
        Err(NotFound(_)) => matches!(phase, Phase::Read | Phase::Delete),
        Err(_) => false,
    }
}

/// Warns of what a call did without. What is secret in it was masked when it was denied.
pub(super) fn warn(log: &dyn Log, urn: Option<&String>, denials: &[Denial]) {
    for denial in denials {
        log.log(Message { severity: Severity::Warning, text: told(denial), urn: urn.cloned(), ephemeral: false });
    }
}

/// Why variables that are there aren't there for the component.
pub(super) fn withheld(surroundings: &Surroundings, variables: &[&str]) -> Vec<String> {
    let mut said = HashSet::new();
    let denials = variables.iter().filter_map(|variable| surroundings.withheld(variable));
    denials.map(|denial| told_after(denial, &mut said)).collect()
}
