//! The whole of it.

use super::{
    contradictions, descriptions, facts, imports, methods, place::Place, secrets, tokens, unchecked, unseen, validation,
};
use crate::{Problem, check::Tries, model::Package, parse::Json};

/// Something that is probably not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lint {
    /// How bad it is.
    pub severity: Severity,
    /// Where, what, and what to do.
    pub problem: Problem,
}

/// How bad a lint is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// No user can use it as it is.
    Error,
    /// It doesn't do what it says.
    Warning,
    /// It could be better.
    Hint,
}

/// Lints are collected up to this number: whoever wrote the schema decides how many there could be.
const ENOUGH: usize = 100_000;

/// Looks a package over. The document is the JSON that the package was read from; what isn't JSON has no lints.
pub fn lint(package: &Package, document: &[u8]) -> Vec<Lint> {
    let mut lints = Lints::default();
    let document = Json::parse(document).ok();
    if let Some(document) = &document {
        descriptions::look(document, &mut lints);
    }
    let mut tries = Tries::new();
    for place in Place::all(package) {
        validation::look(&place, &mut tries, &mut lints);
        contradictions::look(&place, &mut lints);
        imports::look(&place, &mut lints);
        secrets::look(&place, &mut lints);
        unseen::look(&place, &mut lints);
    }
    facts::look(package, &mut lints);
    tokens::look(package, &mut lints);
    unchecked::look(package, &mut lints);
    if let Some(document) = &document {
        methods::look(package, document, &mut lints);
    }
    lints.0
}

/// The lints so far.
#[derive(Default)]
pub(super) struct Lints(Vec<Lint>);

impl Lints {
    pub(super) fn add(&mut self, severity: Severity, location: String, message: impl Into<String>, hint: &str) {
        if self.0.len() >= ENOUGH {
            return;
        }
        let hint = (!hint.is_empty()).then(|| hint.to_owned());
        self.0.push(Lint { severity, problem: Problem { location, message: message.into(), hint } });
    }
}
